/**
 * Columns of bytes, one after the other, each with its length in front: a layout for whoever wrote it, read back in the same order. Every
 * column that comes out has a buffer of its own, so that it can be seen as numbers of any size.
 */
export function packColumns(columns: readonly ArrayBufferView[]): Uint8Array {
  const total = columns.reduce((sum, { byteLength }) => sum + LENGTH_BYTES + byteLength, 0);
  const packed = new Uint8Array(total);
  const lengths = new DataView(packed.buffer);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of columns) {
    lengths.setFloat64(at, byteLength);
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), at + LENGTH_BYTES);
    at += LENGTH_BYTES + byteLength;
  }
  return packed;
}

export function unpackColumns(packed: Uint8Array): readonly ArrayBuffer[] {
  const lengths = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const columns: ArrayBuffer[] = [];
  for (let at = 0; at < packed.length; ) {
    const start = at + LENGTH_BYTES;
    at = start + lengths.getFloat64(at);
    const column = new ArrayBuffer(at - start);
    new Uint8Array(column).set(packed.subarray(start, at));
    columns.push(column);
  }
  return columns;
}

const LENGTH_BYTES = 8;
