import type { Difference } from './operator-sdk-compare.ts';

export const wantedDifferences: Readonly<Record<string, readonly (Difference & { readonly reason: string })[]>> = {};
