import type { PlacedObject } from '../util/manifest-object.ts';

export interface RenderOptions {
  /** The folder in which the command runs: `folder` is relative to it, and so are the places in findings. */
  readonly cwd: string;
  /**
   * The command that a refusal pipes the real kustomize into, such as `op-sdk deploy -f -`. Without it the refusal names
   * `kustomize build` alone.
   */
  readonly pipeInto?: string;
}

/**
 * Renders the kustomization of a folder as kustomize 5 does.
 *
 * @param folder relative to `cwd`, or absolute
 * @returns the objects in kustomize's order
 * @throws OpSdkError with all findings
 */
export function renderKustomization(
  folder: string,
  options: RenderOptions,
): Promise<readonly PlacedObject[]> {
  return Promise.reject(new Error(`not written yet: ${folder} in ${options.cwd}`));
}
