export { Encoder, type Frame, H264, type H264Settings, type Packet, type VideoFrameLike } from "./h264.js";
export { type Image, Jpeg, type JpegSettings } from "./jpeg.js";
export { EncodeError, type Source } from "./module.js";
