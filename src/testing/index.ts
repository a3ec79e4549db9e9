/**
 * What the tests of operators need: a real control plane (etcd and kube-apiserver as child processes, see
 * `control-plane/`), the binaries for it (`assets/`), and waiting for what becomes true later. Public as `opsdk/testing`.
 * `process/` makes sure that nothing outlives the test, `x509/` makes certificates, `http/` and `crds/` set things up.
 */
export { startControlPlane } from './control-plane/start-control-plane.ts';
export type {
  AuditEvent,
  AuditLevel,
  AuditPolicy,
  AuditStage,
  ControlPlane,
  ControlPlaneOptions,
  KubeconfigFile,
} from './control-plane/types.ts';
export { eventually, type EventuallyOptions } from './eventually.ts';
export { defaultVersion } from './assets/version.ts';
export { installAssets, type AssetsRequest } from './assets/install-assets.ts';
export { resolveAssets, type ResolvedAssets } from './assets/resolve-assets.ts';
export { listAssets, type AssetSource, type CachedAssets, type Env } from './assets/cache.ts';
export { removeAssets } from './assets/remove-assets.ts';
