import type { KubeObject, Resource } from '../../../api/index.ts';
import type { Status } from '../../../kube/index.ts';
import { isJsonMap } from '../../../../base/util/json-map.ts';
import type { FieldError } from '../webhook.ts';

/** The API server's names of the reasons, and which of them show the value. Source: apimachinery `field.Error`. */
const reasons = {
  FieldValueInvalid: { text: 'Invalid value', showsValue: true },
  FieldValueForbidden: { text: 'Forbidden', showsValue: false },
  FieldValueRequired: { text: 'Required value', showsValue: false },
  FieldValueDuplicate: { text: 'Duplicate value', showsValue: true },
  FieldValueNotSupported: { text: 'Unsupported value', showsValue: true },
  FieldValueNotFound: { text: 'Not found', showsValue: true },
  FieldValueTooLong: { text: 'Too long', showsValue: false },
  FieldValueTooMany: { text: 'Too many', showsValue: true },
} as const satisfies Record<NonNullable<FieldError<KubeObject>['reason']>, unknown>;

/**
 * The errors of an object's fields as the API server shows those of its own validation. Source: apimachinery `errors.NewInvalid`.
 *
 * @param name of the object; empty while it has none
 */
export function invalidStatus(
  { group, kind }: Pick<Resource, 'group' | 'kind'>,
  name: string,
  errors: readonly FieldError<KubeObject>[],
): Status {
  const causes = errors.map((error) => ({
    reason: error.reason ?? 'FieldValueInvalid',
    message: bodyOf(error),
    field: error.path.replace(/^\./, ''),
  }));
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const list = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  const type = group === '' ? kind : `${kind}.${group}`;
  return {
    kind: 'Status',
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: `${type} ${JSON.stringify(name)} is invalid: ${list}`,
    details: { name, group, kind, causes },
  };
}

function bodyOf({ reason = 'FieldValueInvalid', value, message }: FieldError<KubeObject>): string {
  const { text, showsValue } = reasons[reason];
  const shown =
    value === undefined || !showsValue ? text : `${text}: ${JSON.stringify(value) ?? typeof value}`;
  return message === '' ? shown : `${shown}: ${message}`;
}

/**
 * Checks the result of a function of `validate`: a mistake there must not let an object through.
 *
 * @throws TypeError
 */
export function fieldErrors(returned: unknown): readonly FieldError<KubeObject>[] {
  if (returned === undefined) return [];
  if (!Array.isArray(returned))
    throw new TypeError(
      `validate: expected a list of { path, message } or nothing, got ${returned === null ? 'null' : typeof returned}`,
    );
  for (const error of returned as readonly unknown[]) {
    if (!isJsonMap(error) || typeof error['path'] !== 'string' || typeof error['message'] !== 'string')
      throw new TypeError(
        `validate: expected { path, message }, got ${JSON.stringify(error) ?? typeof error}`,
      );
    if (error['reason'] !== undefined && !Object.hasOwn(reasons, error['reason'] as string))
      throw new TypeError(`validate: unknown reason ${JSON.stringify(error['reason'])} of ${error['path']}`);
  }
  return returned as readonly FieldError<KubeObject>[];
}
