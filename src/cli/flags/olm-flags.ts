import { clusterFlags } from './cluster-flags.ts';
import type { GlobalOptions } from './common.ts';
import { flag, type OptionsOf } from './flag.ts';
import { registryFlags } from './registry-flags.ts';

/**
 * Returns the flags of commands that manage OLM itself: version, manifests, timeout and cluster.
 * @param texts help texts: the defaults of `--olm` and `--version`, and the subject of `--timeout`
 */
export const olmFlags = (texts: {
  readonly olm: string;
  readonly version: string;
  readonly timeout: string;
}) => ({
  olm: flag.text('major', `which OLM, v0 or v1 (default: ${texts.olm})`),
  version: flag.text('version', `the release whose manifests are used (default: ${texts.version})`),
  manifests: flag.list(
    'source',
    'read the manifests of the release from a file, a folder or a URL; may be repeated',
  ),
  sha256: flag.list('digest', 'expect a downloaded file to have this SHA-256; once for each file'),
  timeout: flag.text('duration', texts.timeout),
  ...clusterFlags,
});
export type OlmOptions = OptionsOf<ReturnType<typeof olmFlags>>;

/** `--olm` flag of commands that run bundles. */
export const olmFlag = {
  olm: flag.choice(
    'version',
    ['auto', 'v0', 'v1'],
    'the version of OLM: the one that is on the cluster with auto',
    { default: 'auto' },
  ),
};

/** Positional argument of `run bundle` and `run bundle-upgrade`. */
export const runBundleArgument = [
  '<bundle>',
  'the image of the bundle, or its folder, which is built and pushed first',
] as const;

/** Flags of `run bundle` and `run bundle-upgrade`. */
export const runBundleFlags = {
  ...olmFlag,
  namespace: flag.text(
    'name',
    'where the operator runs (default: the namespace of the context); it must exist',
    { short: 'n' },
  ),
  'push-to': flag.text(
    'repository',
    'push the catalogue, and the bundle of a folder, to this repository (default: that of the bundle)',
  ),
  'pull-secret-name': flag.text(
    'name',
    'OLM v0: the Secret of the namespace by which the catalogue and the bundle are pulled',
  ),
  // Hidden aliases: flag names of operator-sdk, and similar names.
  secret: flag.text('name', '', { hidden: true }),
  'use-http': flag.boolean('', { hidden: true }),
  'skip-tls': flag.boolean('', { hidden: true }),
  'security-context-config': flag.choice(
    'name',
    ['restricted', 'legacy'],
    "OLM v0: the security context of the catalogue's Pod (default: restricted)",
  ),
  'index-image': flag.text(
    'image',
    'OLM v0: push no catalogue, but have a Pod serve it out of ConfigMaps, as operator-sdk does: by opm of this image, with the bundle added to the catalogue of the image',
  ),
  'decompression-image': flag.text(
    'image',
    'with --index-image: unpacks the ConfigMaps by its sh, cat and gzip (default: registry.access.redhat.com/ubi9/ubi:9.8)',
  ),
  'image-pull-policy': flag.choice(
    'policy',
    ['Always', 'IfNotPresent', 'Never'],
    'with --index-image: when nodes pull that image (default: Always)',
  ),
  'service-account': flag.text(
    'name',
    'with --index-image: the ServiceAccount of the Pod (default: that of the namespace)',
  ),
  timeout: flag.text('duration', 'how long to wait for the operator to run (default: 5m)'),
  ...clusterFlags,
  ...registryFlags,
  'ca-secret-name': flag.text(
    'name',
    'read the certificate authority of the registry from cert.pem of this Secret of the namespace',
  ),
};
export type RunBundleOptions = OptionsOf<typeof runBundleFlags> & GlobalOptions;

/** Returns the options with the values of alias flags moved to the main flags. */
export function withoutAliases<T extends RunBundleOptions>(options: T): T {
  const { pullSecretName = options.secret, plainHttp, useHttp, skipTls } = options;
  return { ...options, pullSecretName, plainHttp: plainHttp || useHttp || skipTls };
}

/** `--select-optional` of commands that validate bundles. */
export const selectOptionalFlag = {
  'select-optional': flag.text(
    'selector',
    "optional validators to run, too: 'all', names with commas between them, or a label selector such as suite=operatorframework",
  ),
};
