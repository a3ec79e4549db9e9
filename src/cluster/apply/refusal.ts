import { isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { ApiError } from '../../sdk/kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';

/**
 * Turns the API server's refusal of an object into findings with the place in the author's file.
 *
 * @throws the error itself if it is not an answer of the API server: then nothing is known about the object
 */
export function refusal(error: unknown, object: Pick<ClusterObject, 'title' | 'where'>): readonly Finding[] {
  if (!(error instanceof ApiError) || error.status === 401) throw error;
  const { title, where } = object;
  const said = serverWords(error);
  const finding = (code: Finding['code'], text: string, ...fix: readonly string[]): Finding => ({
    code,
    message: `${title}: ${text}`,
    where,
    ...(fix.length === 0 ? {} : { fix }),
  });
  if (/being terminated/.test(said)) {
    return [finding('cluster/being-deleted', said, 'wait until the namespace is gone, then run it again')];
  }
  if (/exceeded quota/.test(said)) {
    return [finding('cluster/quota-exceeded', said, 'raise the ResourceQuota, or ask for less')];
  }
  if (/failed calling webhook|conversion webhook .* failed/.test(said)) {
    const fix =
      'check that the webhook runs and has its certificate; after its installation it needs a moment';
    return [finding('cluster/webhook-failed', said, fix)];
  }
  if (/admission webhook .* denied|ValidatingAdmissionPolicy .* denied|violates PodSecurity/.test(said)) {
    return [finding('cluster/denied', said, 'change the object as the policy asks')];
  }
  if (error.status === 403) return [forbidden(finding, said)];
  const wrong = wrongFields(error, said);
  if (wrong.length > 0) return wrong.map((text) => finding('cluster/invalid-object', text, fixFor(text)));
  if (error.status === 422 || error.status === 400) return [finding('cluster/invalid-object', said)];
  if (error.status === 409) {
    const fix = /precondition/i.test(said)
      ? 'run it again: another object has replaced it meanwhile'
      : 'remove metadata.resourceVersion and metadata.uid from the manifest: they belong to an older state';
    return [finding('cluster/refused', said, fix)];
  }
  return [finding('cluster/refused', said)];
}

/**
 * Like {@link refusal}, after others.
 *
 * @param before what was refused before: it is thrown together with an error that ends the whole
 */
export function refusalAfter(
  before: readonly Finding[],
  error: unknown,
  object: Pick<ClusterObject, 'title' | 'where'>,
): readonly Finding[] {
  try {
    return refusal(error, object);
  } catch (end) {
    if (!isOpSdkError(end) || before.length === 0) throw end;
    throw new OpSdkError([...before, ...end.findings], { cause: end });
  }
}

function forbidden(
  finding: (code: Finding['code'], text: string, ...fix: readonly string[]) => Finding,
  said: string,
): Finding {
  // RBAC lets nobody hand out what they do not have themselves.
  const fix = /attempting to grant RBAC permissions/.test(said)
    ? 'use an identity that has these permissions itself, such as cluster-admin'
    : 'use a kubeconfig context whose user may do this';
  return finding('cluster/forbidden', said, fix);
}

function fixFor(wrong: string): string {
  return /immutable|cannot change|updates to .* forbidden|cannot be changed|may not change/i.test(wrong)
    ? 'leave the field as it is on the cluster, or delete the object there first, with all that depends on it'
    : 'correct or remove the field';
}

/** The message without what was asked, which the title says better. */
function serverWords(error: ApiError): string {
  const [{ message }] = error.findings;
  const end = message.indexOf(': ');
  return end < 0 ? message : message.slice(end + 2);
}

/** Each field that is wrong; none if the answer does not say. */
function wrongFields({ details, status }: ApiError, said: string): readonly string[] {
  // Of strict decoding: `… strict decoding error: unknown field "spec.foo", duplicate field "spec.bar"`.
  const strict = [
    ...said.matchAll(
      /(?:unknown|duplicate) field "(?:[^"\\]|\\.)*"|\.[\w.[\]-]+: field not declared in schema/g,
    ),
  ];
  if (strict.length > 0) return [...new Set(strict.map(([text]) => text))];
  if (status !== 422) return [];
  const causes = (details?.causes ?? []).map(({ field = '', message = '' }) =>
    field === '' || field === '<nil>' ? message : `${field}: ${message}`,
  );
  return [...new Set(causes)];
}
