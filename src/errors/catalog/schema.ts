import type { CatalogEntry } from './entry.ts';

export const schemaErrors = {
  'schema/syntax-error': {
    title: 'A TypeScript file cannot be parsed',
    explain:
      'The compiler found a syntax error. What follows it might be dropped silently, so nothing is generated until it is corrected. A `*/` inside a doc comment ends the comment: write `*\\/`.',
    exit: 1,
  },
  'schema/tsconfig': {
    title: 'The tsconfig.json cannot be parsed',
    explain:
      'How imports are resolved is read from the tsconfig.json nearest to the project; it must be valid JSON with comments.',
    exit: 1,
  },
} as const satisfies Record<`schema/${string}`, CatalogEntry>;
