import { setTimeout as sleep } from 'node:timers/promises';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import type { CrdDocument } from '../../kubernetes/crd/index.ts';
import { withWebhookUrls, type WebhookServer } from '../webhooks/with-webhook-urls.ts';
import type { CrdFile } from '../manifest-files.ts';

/** Time limit in milliseconds until a CRD is served; a healthy API server needs well under one second. */
const establishTimeout = 30_000;

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Applies CRDs and waits until each is Established and the API server serves its kind.
 * @param server address that replaces the Service in conversion webhooks. Default: CRDs are applied unchanged
 * @throws OpSdkError testenv/invalid-crd with every CRD that the API server refuses, testenv/crd-not-established
 */
export async function applyCrds(
  endpoint: ApiEndpoint,
  crds: readonly CrdFile[],
  server?: WebhookServer,
): Promise<void> {
  const findings = new FindingList();
  for (const { file, crd } of crds) {
    const response = await apiRequest(endpoint, {
      method: 'PATCH',
      path: `${collection}/${crd.metadata.name}?fieldManager=op-sdk-testing&force=true&fieldValidation=Strict`,
      contentType: 'application/apply-patch+yaml',
      body: server === undefined ? crd : withWebhookUrls(crd, server),
    });
    if (response.status >= 300) {
      const { message = response.text } = response.json() as { message?: string };
      findings.add({
        code: 'testenv/invalid-crd',
        message: `the API server refuses the CustomResourceDefinition: ${message}`,
        where: { file },
      });
    }
  }
  findings.throwIfAny();
  await Promise.all(crds.map(({ crd }) => waitUntilServed(endpoint, crd)));
}

async function waitUntilServed(endpoint: ApiEndpoint, crd: CrdDocument): Promise<void> {
  const deadline = performance.now() + establishTimeout;
  for (;;) {
    const { established, reason } = await conditionsOf(endpoint, crd);
    if (established && (await isServed(endpoint, crd))) return;
    if (reason !== undefined || performance.now() > deadline) {
      throw new OpSdkError({
        code: 'testenv/crd-not-established',
        message: reason ?? `the CustomResourceDefinition is not served within ${establishTimeout} ms`,
        where: { object: `CustomResourceDefinition ${crd.metadata.name}` },
      });
    }
    await sleep(20);
  }
}

interface CrdStatus {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message: string;
    }[];
  };
}

async function conditionsOf(
  endpoint: ApiEndpoint,
  crd: CrdDocument,
): Promise<{ readonly established: boolean; readonly reason: string | undefined }> {
  const response = await apiRequest(endpoint, { path: `${collection}/${crd.metadata.name}` });
  const conditions = (response.json() as CrdStatus).status?.conditions ?? [];
  const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
  return {
    established: conditions.some(({ type, status }) => type === 'Established' && status === 'True'),
    reason: refused?.message,
  };
}

/**
 * Checks that the endpoint of every served version answers. This check is needed because the Established condition becomes true a moment
 * before the handlers answer.
 */
async function isServed(endpoint: ApiEndpoint, { spec }: CrdDocument): Promise<boolean> {
  for (const { name } of spec.versions.filter(({ served }) => served)) {
    const path = `/apis/${spec.group}/${name}/${spec.names.plural}?limit=1`;
    const { status, text } = await apiRequest(endpoint, { path });
    // If the error is about a conversion webhook, the version counts as served, because a webhook that does not run yet makes the list
    // request fail although the version is already served.
    if (status !== 200 && !text.includes('conversion webhook')) return false;
  }
  return true;
}
