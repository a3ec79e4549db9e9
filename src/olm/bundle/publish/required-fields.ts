import type { Finding } from '../../../base/errors/index.ts';
import { asText } from '../../../base/util/json-map.ts';
import { placeholdersIn } from '../placeholders.ts';
import { fieldAt, fieldName, listOf } from '../validate/fields.ts';
import type { BundleObject, FieldPath } from '../validate/types.ts';

interface RequiredField {
  readonly path: FieldPath;
  readonly expected: string;
  readonly isThere: (value: unknown) => boolean;
}

const textOfLength =
  (least: number, most: number) =>
  (value: unknown): boolean => {
    const { length } = asText(value);
    return length >= least && length <= most;
  };
const notEmpty = (value: unknown): boolean => listOf(value).length > 0;

/** Fields that the catalogue requires and the validators do not. Source: operator-pipelines `operatorcert/static_tests/community/bundle.py`. */
const required: readonly RequiredField[] = [
  { path: ['spec', 'displayName'], expected: '3 to 50 characters', isThere: textOfLength(3, 50) },
  { path: ['spec', 'description'], expected: '20 characters or more', isThere: textOfLength(20, Infinity) },
  {
    path: ['spec', 'provider', 'name'],
    expected: '3 characters or more',
    isThere: textOfLength(3, Infinity),
  },
  { path: ['spec', 'icon'], expected: 'an image', isThere: notEmpty },
  { path: ['spec', 'maintainers'], expected: 'a name and an email', isThere: notEmpty },
  { path: ['spec', 'links'], expected: 'a name and a url', isThere: notEmpty },
];

const fix = ['write it into the base ClusterServiceVersion, and run `op-sdk generate bundle`'];

/** A finding for each field of the ClusterServiceVersion that the catalogue of OperatorHub.io needs, and for each placeholder. */
export function missingFields(csv: BundleObject): readonly Finding[] {
  const missing = required.filter(({ path, isThere }) => !isThere(fieldAt(csv.value, ...path)));
  const placeholders = placeholdersIn(fieldAt(csv.value, 'spec'), ['spec']);
  if (missing.length === 0 && placeholders.length === 0) return [];
  const document = csv.reread();
  return [
    ...missing.map(({ path, expected }) => ({
      code: 'bundle/publish-field' as const,
      message: `${fieldName(path)}: expected ${expected}`,
      where: document.locate(path),
      fix,
    })),
    ...placeholders.map((path) => ({
      code: 'bundle/placeholder' as const,
      message: `${fieldName(path)} is a placeholder that nobody replaced`,
      where: document.locate(path),
      fix,
    })),
  ];
}
