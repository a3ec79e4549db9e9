/** Operand manifests: YAML files of the project that a controller starts from. */
export { loadManifest } from './load-manifest.ts';
