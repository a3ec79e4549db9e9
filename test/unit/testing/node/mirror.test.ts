import { expect, test } from 'vitest';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { ApiError, objectNotFound } from '../../../../src/sdk/kube/client/api-error.ts';
import { isOutdated } from '../../../../src/testing/node/mirror.ts';

const target = { verb: 'patch' };

const invalid = (field: string): ApiError =>
  new ApiError(target, 422, {
    kind: 'Status',
    status: 'Failure',
    reason: 'Invalid',
    code: 422,
    message: `Pod "db-0" is invalid: ${field}: Invalid value: "a": field is immutable`,
    details: { name: 'db-0', kind: 'Pod', causes: [{ reason: 'FieldValueInvalid', message: '', field }] },
  });

test.each([
  ['the object is gone', objectNotFound(Pod, { name: 'db-0', namespace: 'default' }), true],
  ['somebody else has changed it', new ApiError(target, 409, ''), true],
  ['another object has its name', invalid('metadata.uid'), true],
  ['a field is wrong', invalid('status.phase'), false],
  ['the server fails', new ApiError(target, 500, ''), false],
])('an error says what the mirror shows soon: %s', (_, error, expected) => {
  expect(isOutdated(error)).toBe(expected);
});
