import { printable } from '../../../util/printable.ts';

/** Rows in columns, with two blanks between them; the last column has no end. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => printable(cell).replace(/\s/g, ' ')));
  const widths = head.map((_title, column) =>
    all.reduce((most, row) => Math.max(most, (row[column] ?? '').length), 0),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
