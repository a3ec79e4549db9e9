import {
  generateManifests,
  type GeneratedManifests,
  type ManifestOptions,
} from '../../../../../src/compiler/manifests/index.ts';
import { isOpSdkError } from '../../../../../src/base/errors/index.ts';
import { renderManifests } from '../../../../../src/cli/actions/manifests/manifest-changes.ts';
import { lines } from '../fixture.ts';
import { projectFolder, type ProjectFolder } from '../project-folder.ts';

/** A kind in three versions, v1 stored and v1alpha1 not served. */
export const versionsSource = `import { defineResource, type CustomResource, type Int32 } from 'opsdk';
export interface Old extends CustomResource<'cache.example.com/v1alpha1', 'Memcached'> { spec: { port?: string } }
export const Old = defineResource<Old>({ group: 'cache.example.com', version: 'v1alpha1', kind: 'Memcached', served: false });
export interface Beta extends CustomResource<'cache.example.com/v1beta1', 'Memcached'> { spec: { size?: Int32 } }
export const Beta = defineResource<Beta>({ group: 'cache.example.com', version: 'v1beta1', kind: 'Memcached' });
export interface Memcached extends CustomResource<'cache.example.com/v1', 'Memcached'> { spec: { size: Int32 }; status?: { ready?: boolean } }
export const Memcached = defineResource<Memcached>({ group: 'cache.example.com', version: 'v1', kind: 'Memcached', storage: true });
`;

const imports = `import { defineConversion, defineWebhook, type AdmissionContext } from 'opsdk'; import { Beta, Memcached, Old } from './api.ts'; import { Deployment } from 'opsdk/k8s/apps/v1'; import { Lease } from 'opsdk/k8s/coordination/v1'; import { Pod, Secret, ServiceAccount } from 'opsdk/k8s/core/v1';`;

/** A conversion that fits the kind above. */
export const conversion = `export const memcachedConversion = defineConversion(Memcached).spoke(Beta, { to: () => ({ spec: { size: 1 } }), from: () => ({ spec: {} }) });`;

/** What generating says of a project whose webhooks file holds `code`, which may use the kinds above. */
export interface Outcome {
  readonly generated: GeneratedManifests | undefined;
  readonly folder: ProjectFolder;
  /** `code place message` of each error, or of each warning if there is no error. */
  readonly said: readonly string[];
  readonly fixes: readonly string[];
  /** The text of a generated file. */
  text(path: string): Promise<string | undefined>;
}

/** @param code begins in the first line of src/webhooks.ts */
export function generateWebhooks(
  code: string,
  {
    files = {},
    ...options
  }: { readonly files?: Record<string, string> } & Partial<
    Omit<ManifestOptions, 'files' | 'projectDir'>
  > = {},
): Outcome {
  const folder = projectFolder({
    'src/api.ts': versionsSource,
    'src/webhooks.ts': `${imports} ${code}\n`,
    ...files,
  });
  try {
    const generated = generateManifests({ projectDir: folder.dir, ...options });
    const warnings = generated.warnings.filter(({ code: each }) => !ignored(code).includes(each));
    return outcome(folder, generated, warnings);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return outcome(folder, undefined, error.findings);
  } finally {
    folder.remove();
  }
}

/** What is said of the kind, whatever is tried with its webhooks. */
function ignored(code: string): readonly string[] {
  const registration = ['manifests/not-in-project', 'manifests/crd-not-listed'];
  return code.includes('defineWebhook') ? [...registration, 'manifests/no-conversion'] : registration;
}

function outcome(
  folder: ProjectFolder,
  generated: GeneratedManifests | undefined,
  findings: GeneratedManifests['warnings'],
): Outcome {
  return {
    generated,
    folder,
    said: lines(findings),
    fixes: findings.flatMap(({ fix = [] }) => fix),
    async text(path) {
      const rendered = await renderManifests(generated?.files ?? []);
      return rendered.find((file) => file.path === path)?.content;
    },
  };
}

/** The webhooks of the configuration of a kind. */
export function webhooksIn(
  { generated }: Outcome,
  kind: 'Mutating' | 'Validating',
): readonly Record<string, unknown>[] {
  const file = generated?.files.find(({ template }) => template === 'webhook');
  const documents = file === undefined ? [] : [file.document, ...(file.more ?? [])];
  const found = documents.find((document) => document['kind'] === `${kind}WebhookConfiguration`);
  return (found?.['webhooks'] ?? []) as readonly Record<string, unknown>[];
}
