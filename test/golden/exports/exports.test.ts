// The public surface: every name that users can import, values and types. A name more or less is a decision, seen here.
// `UPDATE_GOLDEN=1` writes the lists.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Symbol as TypeScriptSymbol } from 'typescript';
import { describe, expect, test } from 'vitest';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { openSurface } from '../../helpers/public-surface.ts';

const surface = openSurface();
const all = (['opsdk', 'opsdk/testing', 'opsdk/tracing'] as const).flatMap((entry) =>
  surface.exportsOf(entry),
);
const exported = new Set(all.map(({ symbol }) => symbol));

/**
 * Types that signatures mention and that nobody needs to name: the steps by which a path type is computed, the number in a duration, the
 * checks of a body that is inferred, the parts of ErrorCode.
 */
const parts = [
  'SimplePath',
  'Levels',
  'Here',
  'Converted',
  'CheckedBody',
  'DraftBody',
  'Amount',
  /^[A-Z]\w*Code$/,
];

/** True for what users have without us, or import from `opsdk/k8s/…`. */
function isFromElsewhere(symbol: TypeScriptSymbol): boolean {
  const files = (symbol.declarations ?? []).map((declaration) => declaration.getSourceFile().fileName);
  return files.every((file) => file.includes('/node_modules/') || file.includes('/src/sdk/k8s/'));
}

/** Type parameters are declared by the signature itself. */
const isTypeParameter = (symbol: TypeScriptSymbol): boolean => (symbol.flags & 262_144) !== 0;

describe.each([
  { entry: 'opsdk', load: () => import('../../../src/index.ts') },
  { entry: 'opsdk/testing', load: () => import('../../../src/testing.ts') },
  { entry: 'opsdk/tracing', load: () => import('../../../src/tracing.ts') },
] as const)('$entry', ({ entry, load }) => {
  const items = surface.exportsOf(entry);

  test('exports the names of the golden list', async () => {
    const values = items.filter(({ isValue }) => isValue).map(({ name }) => name);
    expect(values.sort()).toEqual(Object.keys(await load()).sort());
    const names = items.map(({ name, isValue }) => `${isValue ? 'value' : 'type '} ${name}`);
    const list = `${names.sort().join('\n')}\n`;
    const golden = fileURLToPath(new URL(`${entry.replace('/', '-')}.txt`, import.meta.url));
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, list);
    expect(list).toBe(readFileSync(golden, 'utf8'));
  });

  test('exports every type that its signatures mention', () => {
    const missing = items.flatMap((item) =>
      surface
        .typesNamedBy(item)
        .filter(({ symbol }) => !exported.has(symbol) && !isTypeParameter(symbol) && !isFromElsewhere(symbol))
        .filter(
          ({ name }) => !parts.some((part) => (part instanceof RegExp ? part.test(name) : part === name)),
        )
        .map(({ name, at }) => `${name}, mentioned by ${item.name} (${at})`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  test('says the types of its signatures instead of leaving them to inference', () => {
    expect(items.flatMap((item) => surface.inferred(item))).toEqual([]);
  });

  test('has documentation on hover for every export, method and property', () => {
    expect(items.flatMap((item) => surface.withoutDocs(item))).toEqual([]);
  });

  test('names error codes that exist', () => {
    const named = items.flatMap((item) => surface.codesNamedBy(item));
    expect(named.filter((code) => !Object.hasOwn(explanations, code))).toEqual([]);
  });
});
