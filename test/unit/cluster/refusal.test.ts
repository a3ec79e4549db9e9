import { describe, expect, test } from 'vitest';
import { refusal, refusalAfter } from '../../../src/cluster/apply/installable-crds.ts';
import { isOpSdkError, type Finding } from '../../../src/base/errors/index.ts';
import { ApiError, type Status } from '../../../src/sdk/kube/index.ts';

const object = { title: 'deployment.apps/web', where: { file: 'web.yaml', line: 3, column: 1 } };

function refused(code: number, message: string, more: Partial<Status> = {}): readonly string[] {
  const status: Status = { kind: 'Status', status: 'Failure', code, message, ...more };
  const error = new ApiError(
    { verb: 'apply', resource: { group: 'apps', plural: 'deployments' }, name: 'web' },
    code,
    status,
  );
  const findings = refusal(error, object);
  for (const finding of findings) expect(finding.where).toEqual(object.where);
  return findings.map(({ code, message }) => `${code} ${message}`);
}

describe('what the API server says against an object', () => {
  test.each([
    [
      403,
      'deployments.apps "web" is forbidden: unable to create new content in namespace x because it is being terminated',
      'cluster/being-deleted',
    ],
    [403, 'pods "web" is forbidden: exceeded quota: q, requested: pods=1', 'cluster/quota-exceeded'],
    [403, 'deployments.apps is forbidden: User "a" cannot patch resource "deployments"', 'cluster/forbidden'],
    [
      403,
      'clusterroles "x" is forbidden: user "a" is attempting to grant RBAC permissions not currently held',
      'cluster/forbidden',
    ],
    [
      500,
      'Internal error occurred: failed calling webhook "v.example.com": connection refused',
      'cluster/webhook-failed',
    ],
    [
      500,
      'conversion webhook for example.com/v1, Kind=Web failed: Post "x": refused',
      'cluster/webhook-failed',
    ],
    [400, 'admission webhook "v.example.com" denied the request: no', 'cluster/denied'],
    [
      422,
      "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
      'cluster/denied',
    ],
    [
      403,
      'pods "web" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot',
      'cluster/denied',
    ],
    [413, 'request entity too large', 'cluster/refused'],
    [500, 'etcdserver: request is too large', 'cluster/refused'],
  ])('%i %s', (code, said, expected) => {
    expect(refused(code, said)).toEqual([`${expected} deployment.apps/web: ${said}`]);
  });

  test('each wrong field is a finding', () => {
    const strict =
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.a", duplicate field "spec.b", unknown field "spec.a"';
    expect(refused(400, strict)).toEqual([
      'cluster/invalid-object deployment.apps/web: unknown field "spec.a"',
      'cluster/invalid-object deployment.apps/web: duplicate field "spec.b"',
    ]);
    const causes = [
      { field: 'spec.replicas', message: 'Invalid value: -1: must be positive' },
      { field: '<nil>', message: 'something else' },
    ];
    expect(refused(422, 'is invalid: …', { reason: 'Invalid', details: { causes } })).toEqual([
      'cluster/invalid-object deployment.apps/web: spec.replicas: Invalid value: -1: must be positive',
      'cluster/invalid-object deployment.apps/web: something else',
    ]);
    expect(refused(400, 'the body is no object')).toEqual([
      'cluster/invalid-object deployment.apps/web: the body is no object',
    ]);
  });

  test('an error that ends the whole does not swallow what was refused before', () => {
    const before = [{ code: 'cluster/denied', message: 'no' }] as const;
    const unauthorized = new ApiError({ verb: 'apply' }, 401, 'no');
    const codes = (known: readonly Finding[], error: Error): readonly string[] => {
      try {
        return refusalAfter(known, error, object).map(({ code }) => code);
      } catch (end) {
        return isOpSdkError(end) ? ['end', ...end.findings.map(({ code }) => code)] : ['defect'];
      }
    };
    expect(codes(before, unauthorized)).toEqual(['end', 'cluster/denied', 'kube/unauthorized']);
    expect(codes([], unauthorized)).toEqual(['end', 'kube/unauthorized']);
    expect(codes(before, new TypeError('a defect'))).toEqual(['defect']);
    expect(codes(before, new ApiError({ verb: 'apply' }, 413, 'no'))).toEqual(['cluster/refused']);
  });

  test('what is not about the object is passed on', () => {
    const lost = new Error('the connection broke');
    expect(() => refusal(lost, object)).toThrow(lost);
    const unauthorized = new ApiError({ verb: 'apply' }, 401, 'no');
    expect(() => refusal(unauthorized, object)).toThrow(unauthorized);
  });
});
