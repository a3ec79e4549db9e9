import type { Finding } from '../../errors/index.ts';
import { ApiError } from '../../kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';

/**
 * What the API server's refusal of an object means to its author, with the place in the author's file.
 *
 * @throws the error itself if it is no answer of the API server: then nothing can be said about the object
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
  const fix = 'correct or remove the field';
  if (wrong.length > 0) return wrong.map((text) => finding('cluster/invalid-object', text, fix));
  if (error.status === 422 || error.status === 400) return [finding('cluster/invalid-object', said)];
  return [finding('cluster/refused', said)];
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
