// Conversions as a scaffolded project compiles them, whose options are not those of this repository.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileSnippets } from '../../../../helpers/compile-snippets.ts';
import { repositoryRoot } from '../../../../helpers/source-files.ts';

const kinds = `
import { defineResource, type CustomResource } from 'opsdk';
interface Status { ready?: boolean }
export interface Old extends CustomResource<'cache.example.com/v1alpha1', 'Cache'> {
  spec: { size?: number; mode?: 'a' | 'b' };
  status?: Status;
}
export interface New extends CustomResource<'cache.example.com/v1', 'Cache'> {
  spec: { replicas?: number; image?: string; mode?: 'a' | 'b' };
  status?: Status;
}
const names = { group: 'cache.example.com', kind: 'Cache' } as const;
export const Old = defineResource<Old>({ ...names, version: 'v1alpha1' });
export const New = defineResource<New>({ ...names, version: 'v1' });
`;
const conversion = (to: string): string => `
import { defineConversion } from 'opsdk';
import { New, Old } from './kinds.ts';
export const conversion = defineConversion(New).spoke(Old, {
  to: ({ spec, status }) => ({ spec: ${to}, status }),
  from: ({ spec, status }) => ({ spec: { size: spec.replicas, mode: spec.mode }, status }),
});
`;
const example = (path: string): readonly [string, string] => [
  path,
  readFileSync(`${repositoryRoot}examples/two-versions/${path}`, 'utf8'),
];

const { complete, forgotten, rest, typed, ...ofExample } = compileSnippets({
  modules: { 'kinds.ts': kinds },
  snippets: {
    complete: conversion('{ replicas: spec.size, image: undefined, mode: spec.mode }'),
    rest: `
import { defineConversion } from 'opsdk';
import { New, Old } from './kinds.ts';
export const conversion = defineConversion(New).spoke(Old, {
  to: ({ spec: { size, ...rest }, ...others }) => ({ spec: { ...rest, replicas: size, image: undefined }, ...others }),
  from: ({ spec: { replicas, image, ...rest }, ...others }) => ({ spec: { ...rest, size: replicas }, ...others }),
});
`,
    typed: `
import { defineConversion, type SpokeConversion } from 'opsdk';
import { New, Old } from './kinds.ts';
const spoke: SpokeConversion<New, Old> = {
  to: ({ spec, status }) => ({ spec: { replicas: spec.size, image: undefined, mode: spec.mode }, status }),
  from: ({ spec, status }) => ({ spec: { size: spec.replicas, mode: spec.mode }, status }),
};
export const conversion = defineConversion(New).spoke(Old, spoke);
`,
    forgotten: conversion('{ replicas: spec.size, mode: spec.mode }'),
    ...Object.fromEntries([
      example('src/api/operator/v1alpha1/nginx-operator.ts'),
      example('src/api/operator/v1alpha2/nginx-operator.ts'),
      example('src/conversions/operator/nginx-operator.ts'),
      example('src/controllers/operator/nginx-operator.ts'),
    ]),
  },
});

describe('in a project, the types of a conversion', () => {
  it('take what an optional field holds, which may be undefined', () => expect(complete).toEqual([]));

  it('take a rest of the source, and a conversion that has its type already', () =>
    expect([rest, typed]).toEqual([[], []]));

  it('name the field that was forgotten, and nothing else', () =>
    expect(forgotten).toEqual([expect.stringContaining("Property 'image' is missing")]));

  it.each(Object.entries(ofExample))('compile in the example: %s', (_path, found) =>
    expect(found).toEqual([]),
  );
});
