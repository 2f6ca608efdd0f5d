//! Arrays with a location.
