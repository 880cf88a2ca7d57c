/**
 * The text of the all-pairs kernel. Memory holds panels of eight packed rows: for every two dimensions 32 bytes, two int16 of
 * each row. A 16-byte load is four rows by two dimensions, so one lane of an accumulator belongs to one pair of rows and
 * no sum across lanes is ever needed. A block is 4 rows (`a`) by 8 rows (`b`): eight accumulators, which with operands fit
 * the sixteen registers of x86.
 *
 * Layout of a row: prefix dimensions, eight norms of what follows, the remaining dimensions. Prefix and norms together
 * give an upper bound of the dot product (Cauchy-Schwarz), so most blocks end there.
 */
export function kernelWat(): string {
  return `(module
  (import "host" "memory" (memory 1 65536 shared))
  (global $base (mut i32) (i32.const 0))
  (global $panelBytes (mut i32) (i32.const 0))
  (global $headBytes (mut i32) (i32.const 0))
  (global $threshold (mut i32) (i32.const 0))
  (global $out (mut i32) (i32.const 0))
  (global $nextRow (mut i32) (i32.const 0))

  (func (export "configure") (param $base i32) (param $panelBytes i32) (param $headBytes i32) (param $threshold i32)
    (global.set $base (local.get $base))
    (global.set $panelBytes (local.get $panelBytes))
    (global.set $headBytes (local.get $headBytes))
    (global.set $threshold (local.get $threshold)))

  (func (export "nextRow") (result i32) (global.get $nextRow))

  ${emitHits()}
  ${scanBlocks()}
  ${scanStrip()}
)
`;
}

const ROWS = [0, 1, 2, 3];
const HALVES = [0, 1];
const BLOCKS = ROWS.flatMap((row) =>
  HALVES.map((half) => ({ row, half, name: `$s${row}${half}` })),
);
/** Steps of two dimensions in one turn of a loop; prefix, norms and rest are multiples of it. */
const UNROLL = 4;
const STEP_BYTES = 32;

const local = (name: string): string => `(local.get ${name})`;
const times = (count: number, body: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => body(index)).join("\n");

/** Stores (row, column) of the set bits of a mask of four columns, where row < column. */
function emitHits(): string {
  const lane = (bit: number): string => `
    (if (i32.and (i32.shr_u (local.get $mask) (i32.const ${bit}))
                 (i32.lt_u (local.get $row) (i32.add (local.get $column) (i32.const ${bit}))))
      (then
        (i32.store (global.get $out) (local.get $row))
        (i32.store offset=4 (global.get $out) (i32.add (local.get $column) (i32.const ${bit})))
        (global.set $out (i32.add (global.get $out) (i32.const 8)))))`;
  return `(func $emit (param $mask i32) (param $row i32) (param $column i32) ${times(4, lane)})`;
}

/** One step: two dimensions of 4 x 8 rows. */
function step(operation: "add" | "sub", offset: number): string {
  const loads = HALVES.map(
    (half) => `(local.set $y${half} (v128.load offset=${offset + half * 16} (local.get $pb)))`,
  );
  const products = ROWS.map(
    (row) => `
      (local.set $x (v128.load32_splat offset=${offset + row * 4} (local.get $pa)))
      ${HALVES.map(
        (half) => `(local.set $s${row}${half} (i32x4.${operation} ${local(`$s${row}${half}`)}
          (i32x4.dot_i16x8_s (local.get $x) (local.get $y${half}))))`,
      ).join("\n")}`,
  );
  return [...loads, ...products].join("\n");
}

function advance(bytes: number): string {
  return `
    (local.set $pa (i32.add (local.get $pa) (i32.const ${bytes})))
    (local.set $pb (i32.add (local.get $pb) (i32.const ${bytes})))`;
}

/** Adds steps up to the address \`end\` of row a. */
function accumulate(label: string, end: string): string {
  return `
    (block $done${label} (loop $more${label}
      (br_if $done${label} (i32.ge_u (local.get $pa) (local.get ${end})))
      ${times(UNROLL, (index) => step("add", index * STEP_BYTES))}
      ${advance(UNROLL * STEP_BYTES)}
      (br $more${label})))`;
}

/** True where any of the 32 sums reaches the threshold. */
function anyReached(): string {
  const highest = BLOCKS.slice(1).reduce(
    (max, { name }) => `(i32x4.max_s ${max} ${local(name)})`,
    local(BLOCKS[0]?.name ?? ""),
  );
  return `(v128.any_true (i32x4.ge_s ${highest} (local.get $limit)))`;
}

/** All blocks of rows [a, aEnd) by [b, bEnd), the part above the diagonal. */
function scanBlocks(): string {
  return `(func $scanBlocks (param $a i32) (param $aEnd i32) (param $b i32) (param $bEnd i32)
    (local $i i32) (local $j i32) (local $start i32) (local $pa i32) (local $pb i32) (local $headEnd i32) (local $rowEnd i32)
    (local $limit v128) (local $x v128) (local $y0 v128) (local $y1 v128)
    ${BLOCKS.map(({ name }) => `(local ${name} v128)`).join(" ")}
    (local.set $limit (i32x4.splat (global.get $threshold)))
    (local.set $i (local.get $a))
    (loop $rows
      (local.set $start (i32.add (global.get $base) (i32.add
        (i32.mul (i32.shr_u (local.get $i) (i32.const 3)) (global.get $panelBytes))
        (i32.shl (i32.and (local.get $i) (i32.const 4)) (i32.const 2)))))
      (local.set $headEnd (i32.add (local.get $start) (global.get $headBytes)))
      (local.set $rowEnd (i32.add (local.get $start) (global.get $panelBytes)))
      (local.set $j (i32.and (local.get $i) (i32.const -8)))
      (if (i32.lt_u (local.get $j) (local.get $b)) (then (local.set $j (local.get $b))))
      (block $rowDone (loop $columns
        (br_if $rowDone (i32.ge_u (local.get $j) (local.get $bEnd)))
        (local.set $pa (local.get $start))
        (local.set $pb (i32.add (global.get $base)
          (i32.mul (i32.shr_u (local.get $j) (i32.const 3)) (global.get $panelBytes))))
        ${BLOCKS.map(({ name }) => `(local.set ${name} (v128.const i32x4 0 0 0 0))`).join("\n")}
        (block $next
          (if (global.get $headBytes) (then
            ${accumulate("Head", "$headEnd")}
            (br_if $next (i32.eqz ${anyReached()}))
            ${advance(-UNROLL * STEP_BYTES)}
            ${times(UNROLL, (index) => step("sub", index * STEP_BYTES))}
            ${advance(UNROLL * STEP_BYTES)}))
          ${accumulate("Rest", "$rowEnd")}
          (br_if $next (i32.eqz ${anyReached()}))
          ${BLOCKS.map(
            ({ row, half, name }) => `(call $emit
              (i32x4.bitmask (i32x4.ge_s (local.get ${name}) (local.get $limit)))
              (i32.add (local.get $i) (i32.const ${row}))
              (i32.add (local.get $j) (i32.const ${half * 4})))`,
          ).join("\n")})
        (local.set $j (i32.add (local.get $j) (i32.const 8)))
        (br $columns)))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $i) (local.get $aEnd)))))`;
}

/**
 * Rows [a, aEnd) by [b, bEnd) in column blocks that stay in the first-level cache, until done or until the next block
 * might not fit into \`capacity\` bytes at \`out\`. Returns the bytes written; \`nextRow\` then says where to go on.
 */
function scanStrip(): string {
  const columns = 64;
  return `(func (export "scan") (param $a i32) (param $aEnd i32) (param $b i32) (param $bEnd i32)
    (param $target i32) (param $capacity i32) (result i32)
    (local $blockEnd i32) (local $lastStart i32)
    (global.set $out (local.get $target))
    (local.set $lastStart (i32.sub (i32.add (local.get $target) (local.get $capacity))
      (i32.mul (i32.sub (local.get $aEnd) (local.get $a)) (i32.const ${columns * 8}))))
    (block $full (loop $blocks
      (br_if $full (i32.ge_u (local.get $b) (local.get $bEnd)))
      (br_if $full (i32.gt_u (global.get $out) (local.get $lastStart)))
      (local.set $blockEnd (i32.add (local.get $b) (i32.const ${columns})))
      (if (i32.gt_u (local.get $blockEnd) (local.get $bEnd)) (then (local.set $blockEnd (local.get $bEnd))))
      (call $scanBlocks (local.get $a) (local.get $aEnd) (local.get $b) (local.get $blockEnd))
      (local.set $b (local.get $blockEnd))
      (br $blocks)))
    (global.set $nextRow (local.get $b))
    (i32.sub (global.get $out) (local.get $target)))`;
}
