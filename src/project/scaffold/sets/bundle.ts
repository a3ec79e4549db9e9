import type { TemplateModel } from '../engine.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';

/** The image with the tests of `config/scorecard`: those of operator-sdk, which any scorecard runs. */
export const scorecardImage = 'quay.io/operator-framework/scorecard-test:v1.42.3';

/** The input of `config/manifests` and `config/scorecard`. */
export interface ManifestsInput {
  readonly packageName: string;
  /** True if `config/samples` has a kustomization. */
  readonly hasSamples: boolean;
  /** Where `config` lies, seen from the folder of the kustomization: `..` */
  readonly config: string;
}

/** `config/manifests/kustomization.yaml` and the files of `config/scorecard`. */
export async function manifestsFiles(
  input: ManifestsInput,
  projectRoot?: string,
): Promise<readonly RenderedFile[]> {
  return renderSet('manifests', manifestsModel(input), {}, projectRoot);
}

/** The model for the templates of `manifests`. */
export function manifestsModel({ packageName, hasSamples, config }: ManifestsInput): TemplateModel {
  const folders = ['default', ...(hasSamples ? ['samples'] : []), 'scorecard'];
  return {
    resources: [
      `bases/${packageName}.clusterserviceversion.yaml`,
      ...folders.map((name) => `${config}/${name}`),
    ],
    scorecardImage,
  };
}

/** A label of the bundle's image. */
export interface BundleLabel {
  readonly key: string;
  readonly value: string;
  readonly section: 'core' | 'test' | 'own';
}

/**
 * `bundle.Dockerfile`.
 * @param folder the folder of the bundle, relative to the project, with forward slashes
 */
export async function bundleDockerfileText(
  labels: readonly BundleLabel[],
  folder: string,
  projectRoot?: string,
): Promise<string> {
  const [file] = await renderSet('bundle', bundleModel(labels, folder), {}, projectRoot);
  if (file === undefined) throw new TypeError('the set of templates for bundles is empty');
  return file.content;
}

/** The model for the templates of `bundle`. */
export function bundleModel(labels: readonly BundleLabel[], folder: string): TemplateModel {
  const section = (wanted: BundleLabel['section']): readonly { key: string; value: string }[] =>
    labels.filter((label) => label.section === wanted).map(({ key, value }) => ({ key, value }));
  const [core, test, own] = [section('core'), section('test'), section('own')];
  return { core, test, own, hasTest: test.length > 0, hasOwn: own.length > 0, folder };
}
