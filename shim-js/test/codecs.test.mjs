// The package in Node: `npm run wasm && npm run build && npm test`. SHIM is the command of the same source, whose files
// have the same bytes: `cargo build --release -p shim-cli`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { EncodeError, H264, Jpeg } from "../dist/index.js";

const shim = process.env.SHIM ?? new URL("../../target/release/shim", import.meta.url).pathname;
const native = { skip: existsSync(shim) || process.env.CI ? false : `${shim} is not built` };

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "shim-js-"));
});
after(() => rm(folder, { recursive: true }));

/** A picture with edges, ramps and noise, which moves. */
function picture(width, height, time = 0) {
  const data = new Uint8Array(4 * width * height);
  let state = 1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const at = 4 * (y * width + x);
      data[at] = (x + 3 * time) * 2 + (state >>> 29);
      data[at + 1] = (Math.floor((x + time) / 8) + Math.floor(y / 8)) % 2 ? 200 : 40;
      data[at + 2] = y * 3;
      data[at + 3] = 255;
    }
  }
  return { width, height, data };
}

const rgb = ({ data }) => Uint8Array.from({ length: (data.length / 4) * 3 }, (_, at) => data[4 * Math.floor(at / 3) + (at % 3)]);

test("JPEG files have the bytes of the native encoder", native, async () => {
  const jpeg = await Jpeg.load();
  for (const [settings, flags] of [
    [{}, []],
    [{ quality: 75 }, ["-q", "75"]],
    [{ quality: 95, subsampling: "4:4:4" }, ["-q", "95", "--subsampling", "444"]],
    [{ progressive: true, quality: 60 }, ["-p", "-q", "60"]],
    [{ trellis: true }, ["--trellis"]],
  ]) {
    for (const [width, height] of [[1, 1], [17, 33], [200, 120]]) {
      const image = picture(width, height);
      const header = new TextEncoder().encode(`P6\n${width} ${height}\n255\n`);
      await writeFile(join(folder, "in.ppm"), Buffer.concat([header, rgb(image)]));
      execFileSync(shim, ["jpeg", join(folder, "in.ppm"), join(folder, "out.jpg"), ...flags], { stdio: "ignore" });
      const expected = await readFile(join(folder, "out.jpg"));
      const found = jpeg.encode(image, settings);
      assert.ok(Buffer.from(found).equals(expected), `${width}x${height} ${JSON.stringify(settings)}`);
      assert.deepEqual(jpeg.encode({ width, height, data: rgb(image), format: "rgb" }, settings), found);
    }
  }
});

test("streams and MP4 files have the bytes of the native encoder", native, async () => {
  const h264 = await H264.load();
  const [width, height] = [112, 80];
  const frames = Array.from({ length: 12 }, (_, time) => picture(width, height, time));
  await writeFile(join(folder, "in.rgba"), Buffer.concat(frames.map(({ data }) => data)));
  for (const [container, extension] of [["annexb", "264"], ["mp4", "mp4"]]) {
    const output = join(folder, `out.${extension}`);
    const size = ["--size", `${width}x${height}`, "--fps", "25", "--pix-fmt", "rgba", "--threads", "1"];
    execFileSync(shim, ["h264", ...size, "--preset", "fast", "--crf", "27", join(folder, "in.rgba"), output], { stdio: "ignore" });
    const encoder = h264.encoder({ width, height, frameRate: 25, preset: "fast", crf: 27, container });
    const packets = frames.flatMap((frame) => encoder.encode(frame));
    const { file, packets: last } = encoder.finish();
    const found = container === "mp4" ? file : Buffer.concat([...packets, ...last].map(({ data }) => data));
    assert.ok(Buffer.from(found).equals(await readFile(output)), container);
  }
});

test("packets have their time stamps and keyframes", async () => {
  const h264 = await H264.load();
  const encoder = h264.encoder({ width: 32, height: 16, lookahead: 0, keyint: 4, qp: 30 });
  const found = [];
  for (let time = 0; time < 6; time += 1) {
    found.push(...encoder.encode({ ...picture(32, 16, time), timestamp: 40 * time, keyframe: time === 3 }));
  }
  found.push(...encoder.finish().packets);
  assert.deepEqual(found.map(({ timestamp }) => timestamp), [0, 40, 80, 120, 160, 200]);
  assert.deepEqual(found.map(({ keyframe }) => keyframe), [true, false, false, true, false, false]);
  assert.throws(() => encoder.encode(picture(32, 16)), EncodeError);
});

test("each format of frames is taken, odd sizes too", async () => {
  const h264 = await H264.load();
  for (const [width, height] of [[16, 16], [33, 17], [1, 1]]) {
    const chroma = Math.ceil(width / 2) * Math.ceil(height / 2);
    for (const [format, bytes] of [
      ["rgba", 4 * width * height], ["bgra", 4 * width * height], ["rgb", 3 * width * height],
      ["gray", width * height], ["i420", width * height + 2 * chroma], ["nv12", width * height + 2 * chroma],
    ]) {
      const encoder = h264.encoder({ width, height });
      encoder.encode({ data: new Uint8Array(bytes).fill(90), format });
      assert.equal(encoder.finish().packets.length, 1, `${format} ${width}x${height}`);
      const other = h264.encoder({ width, height });
      assert.throws(() => other.encode({ data: new Uint8Array(bytes - 1), format }), EncodeError, format);
      other.close();
    }
  }
});

test("a VideoFrame is copied in its format, or as the browser converts it", async () => {
  const h264 = await H264.load();
  const [width, height] = [32, 16];
  for (const [format, bytes, wanted] of [["NV12", 768, undefined], ["I420", 768, undefined], ["BGRX", 2048, undefined], ["I420P10", 2048, "RGBA"]]) {
    const encoder = h264.encoder({ width, height, lookahead: 0 });
    const asked = [];
    const frame = {
      format, timestamp: 7, codedWidth: width, codedHeight: height,
      allocationSize: (options) => (asked.push(options.format), bytes),
      copyTo: async (target, options) => (asked.push(options.format), target.fill(90)),
    };
    const [packet] = await encoder.encodeVideoFrame(frame);
    assert.deepEqual([packet.timestamp, packet.keyframe, asked], [7, true, [wanted, wanted]], format);
    encoder.close();
  }
});

test("settings and samples that cannot be taken are errors", async () => {
  const [jpeg, h264] = [await Jpeg.load(), await H264.load()];
  const data = new Uint8Array(4 * 8 * 8);
  for (const [image, settings, wanted] of [
    [{ width: 8, height: 8, data }, { quality: 0 }, /quality/i],
    [{ width: 8, height: 8, data }, { quality: 7.5 }, /out of range/],
    [{ width: 8, height: 8, data }, { subsampling: "4:2:1" }, /4:2:1/],
    [{ width: 8, height: 9, data }, {}, /samples/],
    [{ width: 0, height: 8, data }, {}, /0/],
    [{ width: 2 ** 31, height: 2 ** 31, data }, {}, /./],
    [{ width: 8, height: 8, data, format: "cmyx" }, {}, /cmyx/],
    [{ width: 8, height: 8, data }, { speed: 3 }, /`speed` is not a setting/],
    [{ width: 8, height: 8, data }, { comment: "a\nb" }, /more than one line/],
  ]) {
    assert.throws(() => jpeg.encode(image, settings), (error) => error instanceof EncodeError && wanted.test(error.message), String(wanted));
  }
  assert.throws(() => h264.encoder({ width: 0, height: 8 }), EncodeError);
  assert.throws(() => h264.encoder({ width: 8, height: 8, preset: "placebo?" }), EncodeError);
  // What failed leaves the module as it was.
  assert.equal(jpeg.encode({ width: 8, height: 8, data })[0], 0xff);
});

test("the modules are small", async () => {
  for (const [name, most] of [["jpeg", 600_000], ["h264", 600_000]]) {
    const bytes = await readFile(new URL(`../dist/${name}.wasm`, import.meta.url));
    const packed = gzipSync(bytes, { level: 9 }).length;
    assert.ok(packed <= most, `${name}: ${packed}`);
  }
  await stat(new URL("../dist/index.d.ts", import.meta.url));
});
