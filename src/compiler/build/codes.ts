import type { ExplainedCodes } from '../../base/errors/index.ts';

export const buildCodes = {
  'build/entry-not-found': {
    title: 'The entry of the operator does not exist',
    explain:
      'op-sdk build bundles src/main.ts and what it imports. Run it in the folder of the project, or name another file with --entry.',
  },
  'build/invalid-outfile': {
    exitCode: 2,
    title: 'The output file has the wrong form',
    explain: '--outfile names an .mjs file inside the project: bundles are ES modules.',
  },
  'build/bundle-failed': {
    title: 'The operator cannot be bundled',
    explain:
      'A file has a syntax error, or imports something that does not exist. The message comes from the bundler.',
  },
  'build/bundle-warning': {
    title: 'The bundler warns about a file',
    explain: 'The bundle was written, but the code probably does not do what it seems to do.',
  },
  'build/no-license': {
    level: 'warning',
    title: 'A package in the bundle states no license',
    explain:
      'op-sdk build writes the licenses of all packages in the bundle to THIRD-PARTY-NOTICES.txt beside it, and the image contains that file. A package has no license if its package.json has no `license` and its folder no file such as LICENSE. Without a license, nobody may pass its code on.',
  },
  'build/forbidden-package': {
    title: 'The bundle contains a development tool',
    explain:
      'Command-line parsers, compilers and template engines of op-sdk must not reach an operator. An import of opsdk inside the operator reaches one of them, for example opsdk/testing.',
  },
  'build/invalid-manifest-call': {
    title: 'A call of loadManifest cannot be built',
    explain:
      "loadManifest takes a resource and the path of a file inside the project, both written so that they can be read from the source: loadManifest(Deployment, 'assets/web.yaml').",
  },
  'build/manifest-not-found': {
    title: 'The file of a loadManifest call does not exist',
    explain:
      'Paths of loadManifest are relative to the folder of the project, whichever file contains the call.',
  },
  'build/manifest-kind': {
    title: 'A manifest is of another kind than its loadManifest call says',
    explain: 'apiVersion and kind of the file must be those of the resource that is passed to loadManifest.',
  },
  'build/unknown-field': {
    title: 'A manifest has an unknown field',
    explain:
      'The API server would refuse the field or drop it. Most often it is misspelt or one level too high or too low.',
  },
  'build/wrong-type': {
    title: 'A value in a manifest has the wrong type',
    explain:
      'The field takes another type. In YAML, numbers and true or false must be quoted where a string is expected.',
  },
  'build/missing-field': {
    title: 'A manifest lacks a required field',
    explain: 'The API server refuses objects without this field.',
  },
  'build/invalid-value': {
    title: 'A value in a manifest is not allowed',
    explain: 'The value has the right type, but is not among the allowed values, or out of range.',
  },
  'build/unchecked-manifest': {
    title: 'A manifest could only be checked for its kind',
    explain:
      'The kind is neither built into Kubernetes nor declared in the project, so that its fields are unknown. Only apiVersion and kind were compared.',
  },
} satisfies ExplainedCodes;
