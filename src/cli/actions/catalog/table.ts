import { printable } from '../../../base/util/printable.ts';
import { textTable } from '../../ui/text-table.ts';

/** Rows of what others wrote as text in columns: what a terminal would obey is escaped, and a cell is one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return textTable([head, ...rows].map((row) => row.map((cell) => printable(cell).replace(/\s/g, ' '))));
}
