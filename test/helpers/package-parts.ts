// The parts of the packed package, and how large each is.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A part of the package: the folders and files that belong to it, and the KiB that it may have when it is packed by itself. */
export interface PackagePart {
  readonly name: string;
  readonly paths: readonly string[];
  readonly budget: number;
}

/** A part as it is in a tarball. */
export interface MeasuredPart {
  readonly name: string;
  readonly files: number;
  readonly packed: number;
  readonly budget: number;
}

/**
 * Measures parts of a tarball. A part is compressed by itself, so that the sum differs a little from the size of the tarball.
 * @returns the parts, and the files that belong to none of them
 */
export function measureParts(
  tarball: string,
  parts: readonly PackagePart[],
): { readonly measured: readonly MeasuredPart[]; readonly others: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-parts-'));
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', folder]);
    const root = join(folder, 'package');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => statSync(join(root, path)).isFile())
      .sort();
    const partOf = (file: string): PackagePart | undefined =>
      parts.find(({ paths }) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
    const measured = parts.map((part) => {
      const own = files.filter((file) => partOf(file) === part);
      const content = execFileSync('tar', ['-cf', '-', '-C', root, ...own], { maxBuffer: 64 * 1024 * 1024 });
      return {
        name: part.name,
        files: own.length,
        packed: gzipSync(content, { level: 9 }).length / 1024,
        budget: part.budget,
      };
    });
    return { measured, others: files.filter((file) => partOf(file) === undefined) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints parts as a table, with a mark at those above their budget. */
export function partsTable(measured: readonly MeasuredPart[]): string {
  const line = (...cells: readonly (string | number)[]): string =>
    cells
      .map((cell, index) => (index === 0 ? String(cell).padEnd(20) : String(cell).padStart(8)))
      .join('')
      .trimEnd();
  const kib = (value: number): string => value.toFixed(1);
  return [
    line('part', 'files', 'KiB', 'budget'),
    ...measured.map(
      ({ name, files, packed, budget }) =>
        `${line(name, files, kib(packed), kib(budget))}${packed > budget ? '  <- above' : ''}`,
    ),
    line(
      'sum',
      measured.reduce((sum, { files }) => sum + files, 0),
      kib(measured.reduce((sum, { packed }) => sum + packed, 0)),
      kib(measured.reduce((sum, { budget }) => sum + budget, 0)),
    ),
  ].join('\n');
}
