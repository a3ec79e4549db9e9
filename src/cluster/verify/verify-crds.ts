import { FindingList, type Finding, type Where } from '../../base/errors/index.ts';
import { ApiError, isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { refusal } from '../apply/installable-crds.ts';
import { inParallel } from '../../base/util/in-parallel.ts';

/** A CustomResourceDefinition that was generated, plain JSON. */
type CrdDocument = Readonly<Record<string, unknown>>;

export interface VerifyRequest {
  readonly client: KubeClient;
  readonly crds: readonly CrdDocument[];
  /**
   * Returns the source position from which a field of a definition was generated. It is called only for fields that the server refuses.
   * @param crd name of the definition
   * @param field path as the server writes it, such as `spec.versions[0].schema.openAPIV3Schema.type`
   * @returns undefined if the position is not known
   */
  readonly placeOf?: ((crd: string, field: string) => Where | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of attempts to validate a definition if others write it at the same time. */
const mostTries = 5;

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Validates CustomResourceDefinitions strictly on an API server, without storing them. A definition that exists on the server is validated
 * as an update, any other definition as a new one. A server is needed, because only a server can compile all CEL expressions and estimate
 * their cost.
 *
 * @returns `manifests/verify-refused` for each objection of the server, `cluster/forbidden` and the like if the server refuses to check
 * @throws ApiError, TransportError if the server cannot be reached
 */
export async function verifyCrds(request: VerifyRequest): Promise<readonly Finding[]> {
  const findings = new FindingList();
  const found = await inParallel(request.crds, (crd) => verifyCrd(request, crd));
  findings.add(...found.flat());
  return findings.all;
}

async function verifyCrd(request: VerifyRequest, crd: CrdDocument): Promise<readonly Finding[]> {
  const { client, signal } = request;
  const metadata = crd['metadata'] as { readonly name: string };
  const { name } = metadata;
  const title = `CustomResourceDefinition ${name}`;
  const query = { dryRun: 'All', fieldValidation: 'Strict', fieldManager: client.fieldManager };
  for (let triesLeft = mostTries - 1; ; triesLeft -= 1) {
    try {
      const resourceVersion = await versionOnCluster(request, name);
      await client.raw.request(
        resourceVersion === undefined
          ? { method: 'POST', path: collection, query, body: crd, signal }
          : {
              method: 'PUT',
              path: `${collection}/${name}`,
              query,
              body: { ...crd, metadata: { ...metadata, resourceVersion } },
              signal,
            },
      );
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The definition was written since it was read, so try again. For example, the API server writes the status of a new definition.
      if (error.status === 409 && triesLeft > 0) continue;
      if (error.status !== 422 && error.status !== 400)
        return refusal(error, { title, where: { object: title } });
      return objections(request, name, error);
    }
  }
}

async function versionOnCluster(
  { client, signal }: VerifyRequest,
  name: string,
): Promise<string | undefined> {
  try {
    const response = await client.raw.request({ path: `${collection}/${name}`, signal });
    return response.json<{ readonly metadata: { readonly resourceVersion: string } }>().metadata
      .resourceVersion;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Returns one finding for each field that the server refuses; if it does not name fields, one for the entire definition. */
function objections({ placeOf }: VerifyRequest, crd: string, error: ApiError): readonly Finding[] {
  const causes = error.details?.causes ?? [];
  const said = causes.length > 0 ? causes : [{ message: error.findings[0].message }];
  return said.map(({ message = 'the server gives no reason', field = '' }): Finding => {
    const where = field === '' ? undefined : placeOf?.(crd, field);
    const object = { object: `CustomResourceDefinition ${crd}`, ...(field === '' ? {} : { path: field }) };
    return {
      code: 'manifests/verify-refused',
      message: `the API server refuses the CustomResourceDefinition ${crd}${where === undefined ? '' : ` (${field})`}: ${shortened(message)}`,
      where: where ?? object,
      fix: [fixFor(message, field)],
    };
  });
}

/**
 * Removes the rejected value from a message of the server if the value is a CEL rule or an entire schema, because the field path identifies
 * it better.
 */
function shortened(message: string): string {
  return message.replace(/^Invalid value: (?:\{"Rule":[\s\S]*?\}|[\s\S]{200,}?\}): /, '');
}

function fixFor(message: string, field: string): string {
  if (field.startsWith('status.storedVersions'))
    return 'keep the version, with `served: false` if nobody is to use it, until no stored object has it and storedVersions is cleared';
  if (field.endsWith('.default')) return 'change the default, or the rule that the default breaks';
  if (/must evaluate to a string/.test(message)) return 'make the expression a string: `string(…)`';
  if (/cost/.test(message))
    return 'bound what the rule walks over: `@maxItems`, `@maxLength` and `@maxProperties` on the lists, strings and records in it';
  if (/compilation failed|undeclared reference|undefined field|no such overload/.test(message))
    return 'correct the expression';
  return 'correct what this field is generated from';
}
