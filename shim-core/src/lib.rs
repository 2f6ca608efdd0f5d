//! The location algebra and the runtime library of shim.
