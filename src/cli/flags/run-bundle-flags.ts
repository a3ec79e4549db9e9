import { Option, type Command } from 'commander';
import { clusterFlags, type ClusterOptions } from './cluster-flags.ts';
import { registryFlags, type RegistryFlags } from './registry-flags.ts';

/** Options that {@link runBundleFlags} parses. */
export interface RunBundleOptions extends ClusterOptions, RegistryFlags {
  readonly olm: 'auto' | 'v0' | 'v1';
  readonly namespace?: string;
  readonly pushTo?: string;
  readonly pullSecretName?: string;
  /** Another name of `--pull-secret-name`. */
  readonly secret?: string;
  /** Another name of `--plain-http`. */
  readonly useHttp?: boolean;
  /** A third name of it. */
  readonly skipTls?: boolean;
  readonly caSecretName?: string;
  readonly indexImage?: string;
  readonly decompressionImage?: string;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly serviceAccount?: string;
  readonly securityContextConfig?: 'restricted' | 'legacy';
  readonly timeout?: string;
  readonly output?: string;
}

/** Declares the argument and the flags of `run bundle` and `run bundle-upgrade`. */
export function runBundleFlags(command: Command): void {
  command.argument('<bundle>', 'the image of the bundle, or its folder, which is built and pushed first');
  olmFlag(command);
  command.option(
    '-n, --namespace <name>',
    'where the operator runs (default: the namespace of the context); it must exist',
  );
  command.option(
    '--push-to <repository>',
    'push the catalogue, and the bundle of a folder, to this repository (default: that of the bundle)',
  );
  command.option(
    '--pull-secret-name <name>',
    'OLM v0: the Secret of the namespace by which the catalogue and the bundle are pulled',
  );
  // Names of operator-sdk, and of those who remember them half.
  command.addOption(new Option('--secret <name>').hideHelp());
  command.addOption(new Option('--use-http').hideHelp());
  command.addOption(new Option('--skip-tls').hideHelp());
  command.addOption(
    new Option(
      '--security-context-config <name>',
      "OLM v0: the security context of the catalogue's Pod (default: restricted)",
    ).choices(['restricted', 'legacy']),
  );
  command.option(
    '--index-image <image>',
    'OLM v0: push no catalogue, but have a Pod serve it out of ConfigMaps, as operator-sdk does: by opm of this image, with the bundle added to the catalogue of the image',
  );
  command.option(
    '--decompression-image <image>',
    'with --index-image: unpacks the ConfigMaps by its sh, cat and gzip (default: registry.access.redhat.com/ubi9/ubi:9.8)',
  );
  command.addOption(
    new Option(
      '--image-pull-policy <policy>',
      'with --index-image: when nodes pull that image (default: Always)',
    ).choices(['Always', 'IfNotPresent', 'Never']),
  );
  command.option(
    '--service-account <name>',
    'with --index-image: the ServiceAccount of the Pod (default: that of the namespace)',
  );
  command.option('--timeout <duration>', 'how long to wait for the operator to run (default: 5m)');
  clusterFlags(command);
  registryFlags(command);
  command.option(
    '--ca-secret-name <name>',
    'read the certificate authority of the registry from cert.pem of this Secret of the namespace',
  );
}

/** The options without second names. */
export function withoutAliases<T extends RunBundleOptions>(options: T): T {
  const { pullSecretName = options.secret, plainHttp, useHttp, skipTls } = options;
  return {
    ...options,
    ...(pullSecretName === undefined ? {} : { pullSecretName }),
    plainHttp: plainHttp === true || useHttp === true || skipTls === true,
  };
}

/** Declares `--olm`. */
export function olmFlag(command: Command): void {
  command.addOption(
    new Option('--olm <version>', 'the version of OLM: the one that is on the cluster with auto')
      .choices(['auto', 'v0', 'v1'])
      .default('auto'),
  );
}
