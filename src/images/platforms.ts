import { OpSdkError, type Finding, isOpSdkError } from '../base/errors/index.ts';
import { closestName } from '../base/util/terminal-words.ts';
import type { Platform, ImageContent, Descriptor } from './types.ts';
import { isIndex, isManifest, readIndex } from './manifest.ts';
import { readPlatformImage, type PlatformImage } from './image-config.ts';

/** Architectures on which Kubernetes nodes run Linux, under the names that Go uses. */
const architectures = ['386', 'amd64', 'arm', 'arm64', 'loong64', 'ppc64le', 'riscv64', 's390x'];

/** Go's names of architectures, by the other common names of the same architectures. */
const aliases: Readonly<Record<string, string>> = {
  x64: 'amd64',
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7: 'arm/v7',
  armhf: 'arm/v7',
  i386: '386',
  x86: '386',
};

/** Default variants, by architecture. Source: containerd/platforms, `normalizeArch`. */
const defaultVariants: Readonly<Record<string, string>> = { arm: 'v7', arm64: 'v8', amd64: 'v1' };

/**
 * Parses a list of platforms: `linux/amd64,linux/arm/v7`.
 * @returns the platforms in the given order
 * @throws OpSdkError `cli/invalid-value` with all findings
 */
export function parsePlatforms(text: string, flag: string): readonly Platform[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const platforms = text.split(',').map((part): Platform => {
    const [os = '', architecture = '', variant, ...rest] = part.trim().split('/');
    const platform = { os, architecture, ...(variant === undefined ? {} : { variant }) };
    const problem = rest.length > 0 ? { message: 'has too many parts' } : (problemOf(platform) ?? undefined);
    if (problem !== undefined)
      findings.push(
        invalid(flag, `'${part}' ${problem.message}`, problem.fix ?? 'write linux/amd64 or linux/arm64'),
      );
    else if (seen.has(canonical(platform)))
      findings.push(invalid(flag, `'${part}' is listed twice`, 'list it once'));
    seen.add(canonical(platform));
    return platform;
  });
  if (findings.length > 0) throw new OpSdkError(findings);
  return platforms;
}

/** Formats a platform: `linux/arm64`, `linux/arm/v7`. */
export function formatPlatform({ os, architecture, variant }: Platform): string {
  return `${os}/${architecture}${variant === undefined ? '' : `/${variant}`}`;
}

/** Returns true if two platforms are the same. A missing variant counts as the default variant of the architecture. */
function isSamePlatform(a: Platform, b: Platform): boolean {
  return canonical(a) === canonical(b);
}

function canonical({ os, architecture, variant }: Platform): string {
  const meant = variant === undefined || variant === '' ? defaultVariants[architecture] : variant;
  return `${os}/${architecture}/${meant ?? ''}`;
}

function problemOf({
  os,
  architecture,
  variant,
}: Platform): { readonly message: string; readonly fix?: string } | undefined {
  if (os !== 'linux') return { message: 'is not a Linux platform; operators run on Linux only' };
  if (!architectures.includes(architecture)) {
    const meant = aliases[architecture] ?? closestName(architecture, architectures);
    return {
      message: 'names no architecture that op-sdk knows',
      fix: meant === undefined ? `use one of ${architectures.join(', ')}` : `write linux/${meant}`,
    };
  }
  if (variant !== undefined && !/^v[0-9]+$/.test(variant))
    return { message: 'has an invalid variant', fix: 'leave it out, or write linux/arm/v7' };
  return undefined;
}

function invalid(flag: string, message: string, fix: string): Finding {
  return { code: 'cli/invalid-value', message: `${flag}: ${message}`, where: { flag }, fix: [fix] };
}

/**
 * Finds the image for a platform, and checks that it consists of layers. The platforms that the index names are compared first. If none
 * matches, reads the manifests for which the index names no platform, and compares the platforms in their configurations.
 * @param name name of the image, for the messages
 * @throws OpSdkError `oci/no-such-platform`, `oci/not-an-image`, `oci/invalid-manifest`, and the errors of reading
 */
export async function selectPlatform(
  image: ImageContent,
  platform: Platform,
  name: string,
): Promise<PlatformImage> {
  if (!isIndex(image.root)) {
    const selected = await readPlatformImage(image, name);
    if (isSamePlatform(selected.config, platform)) return selected;
    throw noSuchPlatform(name, platform, [selected.config]);
  }
  const { manifests } = await readIndex(image, image.root);
  const offered: Platform[] = [];
  for (const entry of manifests) {
    const named = namedPlatform(entry);
    if (named === undefined || named.os === attestedPlatform) continue;
    if (isManifest(entry) && isSamePlatform(named, platform))
      return readPlatformImage({ root: entry, read: (descriptor) => image.read(descriptor) }, name);
    offered.push(named);
  }
  for await (const unnamed of unnamedImages(image, manifests, name)) {
    if (isSamePlatform(unnamed.config, platform)) return unnamed;
    offered.push(unnamed.config);
  }
  throw noSuchPlatform(name, platform, offered);
}

function noSuchPlatform(name: string, platform: Platform, offered: readonly Platform[]): OpSdkError {
  const names = [...new Set(offered.map(formatPlatform))];
  const list = names.length === 0 ? 'no platform' : names.join(', ');
  return new OpSdkError({
    code: 'oci/no-such-platform',
    message: `${name} is not for ${formatPlatform(platform)}; it is for ${list}`,
    where: { flag: '--platform' },
    fix: [
      ...(names.length === 0 ? [] : [`choose a platform that it has: --platform ${names.join(',')}`]),
      'name another image with --base',
    ],
  });
}

/**
 * Returns the platforms of an image. For an index, these are the platforms that it names, except those of attestations. For a manifest
 * without a named platform, and for an image without index, it is the platform in the configuration.
 * @param name name of the image, for the messages
 * @throws OpSdkError `oci/not-an-image`, `oci/invalid-manifest`, and the errors of reading
 */
export async function imagePlatforms(image: ImageContent, name: string): Promise<readonly Platform[]> {
  if (!isIndex(image.root)) {
    const { os, architecture } = (await readPlatformImage(image, name)).config;
    return [{ os, architecture }];
  }
  const { manifests } = await readIndex(image, image.root);
  const platforms = manifests
    .flatMap((entry) => namedPlatform(entry) ?? [])
    .filter(({ os, architecture }) => os !== attestedPlatform && architecture !== attestedPlatform);
  for await (const { config } of unnamedImages(image, manifests, name)) {
    const { os, architecture } = config;
    platforms.push({ os, architecture });
  }
  return platforms;
}

/** Value that build tools give to both the operating system and the architecture in the platform of an attestation. */
const attestedPlatform = 'unknown';

/**
 * Annotation of manifests that describe another manifest of the same index, such as attestations. Source: buildkit, attestation-storage.md.
 */
const aboutAnother = 'vnd.docker.reference.type';

/**
 * Maximum number of manifests without platform that are read from an index. Even an index with one such manifest for each architecture has
 * far fewer.
 */
const mostUnnamed = 32;

/**
 * Returns the platform that an index names for a manifest; undefined if it names none. Does not check if the names of operating system and
 * architecture are valid.
 */
function namedPlatform({ platform }: Descriptor): Platform | undefined {
  const { os, architecture, variant } = (platform ?? {}) as Partial<Record<string, unknown>>;
  if (typeof os !== 'string' || typeof architecture !== 'string' || os === '' || architecture === '')
    return undefined;
  return { os, architecture, ...(typeof variant === 'string' ? { variant } : {}) };
}

/**
 * Yields, one after the other, the images for which an index names no platform. Their platforms are in their configurations. Artifacts are
 * skipped.
 * @param name name of the image, for the messages
 * @throws OpSdkError `oci/invalid-manifest`, also if the index has too many manifests without platform, and the errors of reading
 */
async function* unnamedImages(
  image: ImageContent,
  manifests: readonly Descriptor[],
  name: string,
): AsyncGenerator<PlatformImage> {
  const unnamed = manifests.filter(
    (entry) =>
      isManifest(entry) &&
      namedPlatform(entry) === undefined &&
      entry.annotations?.[aboutAnother] === undefined,
  );
  if (unnamed.length > mostUnnamed) throw tooMany(image.root, unnamed.length);
  for (const root of unnamed) {
    const part = await readPlatformImage({ root, read: (descriptor) => image.read(descriptor) }, name).catch(
      (error: unknown) => {
        // An index may list charts, signatures and other artifacts beside images, so manifests of artifacts are skipped.
        if (isOpSdkError(error) && error.code === 'oci/not-an-image') return undefined;
        throw error;
      },
    );
    if (part !== undefined && part.config.os !== attestedPlatform) yield part;
  }
}

function tooMany({ digest, mediaType }: Descriptor, count: number): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-manifest',
    message: `invalid manifest ${digest} (${mediaType}): expected at most ${mostUnnamed} manifests without platform, got ${count}`,
    where: { object: digest },
    fix: ['build the image again with a platform for each manifest, or name the digest of one of them'],
  });
}
