import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { label1035Problem } from '../names.ts';
import { collect, type FieldPath, type Violation } from './violation.ts';

/** The greatest length of a deprecation warning, in bytes. Source: apiextensions `validateDeprecationWarning`. */
const WARNING_MAX = 256;

/** The names of the versions, each once, and that exactly one is stored. Source: apiextensions `validateCustomResourceDefinitionSpec`. */
export function checkVersions(spec: JsonMap): readonly Violation[] {
  const versions = jsonListOf(spec['versions']).map(jsonMapOf);
  const names = versions.map(({ name }) => jsonTextOf(name));
  const stored = names.filter((_name, index) => versions[index]?.['storage'] === true);
  return [
    ...collect('crd/version', (add) => {
      for (const [index, name] of names.entries()) {
        const problem = label1035Problem(name);
        if (problem === undefined) continue;
        const message = `the version ${JSON.stringify(name)} is not valid: ${problem}`;
        add(['spec', 'versions', index, 'name'], message, 'write v1alpha1, v1beta1 or v1');
      }
    }),
    ...collect('crd/duplicate-version', (add) => {
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index)
          add(
            ['spec', 'versions', index, 'name'],
            `the version ${name} is declared twice`,
            'remove one of the two, or rename it',
          );
    }),
    ...collect('crd/storage-version', (add) => {
      if (stored.length === 1) return;
      const found = stored.length === 0 ? 'none' : stored.join(', ');
      const message = `expected exactly one version with storage: true, got ${found}`;
      add(['spec', 'versions'], message, 'write storage: true in one version, storage: false in the others');
    }),
  ];
}

/** `deprecationWarning` of a version. */
export function checkDeprecation(version: JsonMap, at: FieldPath): readonly Violation[] {
  const { deprecated, deprecationWarning: warning } = version;
  if (typeof warning !== 'string') return [];
  const problem =
    deprecated === true ? warningProblem(warning) : 'only a version with deprecated: true can have one';
  return collect('crd/deprecation', (add) => {
    if (problem !== undefined)
      add(
        [...at, 'deprecationWarning'],
        `the deprecation warning ${JSON.stringify(warning)} is not valid: ${problem}`,
        deprecated === true
          ? `write one line of at most ${WARNING_MAX} bytes, or none for the warning of the API server`
          : 'write deprecated: true, or remove the warning',
      );
  });
}

/** Source: apiextensions `validateDeprecationWarning`, with Go's `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space. */
function warningProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  const size = Buffer.byteLength(text);
  if (size > WARNING_MAX) return `it has ${size} bytes; ${WARNING_MAX} are allowed`;
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  return odd === null
    ? undefined
    : `it holds the character ${JSON.stringify(odd[0])}, which cannot be printed`;
}
