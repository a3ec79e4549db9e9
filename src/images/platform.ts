import { OpSdkError, type Finding } from '../base/errors/index.ts';
import { closestName } from '../base/util/closest-name.ts';
import type { Platform } from './types.ts';

/** Go's names of the architectures on which Kubernetes nodes run Linux. */
const architectures = ['386', 'amd64', 'arm', 'arm64', 'loong64', 'ppc64le', 'riscv64', 's390x'];

/** Other names of architectures. */
const aliases: Readonly<Record<string, string>> = {
  x64: 'amd64',
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7: 'arm/v7',
  armhf: 'arm/v7',
  i386: '386',
  x86: '386',
};

/** The variant that is meant where none is named. Source: containerd/platforms, `normalizeArch`. */
const defaultVariants: Readonly<Record<string, string>> = { arm: 'v7', arm64: 'v8', amd64: 'v1' };

/**
 * Reads a list of platforms: `linux/amd64,linux/arm/v7`.
 * @returns in the order given
 * @throws OpSdkError `cli/invalid-value` with everything that is wrong
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

/** `linux/arm64`, `linux/arm/v7`. */
export function formatPlatform({ os, architecture, variant }: Platform): string {
  return `${os}/${architecture}${variant === undefined ? '' : `/${variant}`}`;
}

/** Returns true if both mean the same machines, with or without the variant. */
export function isSamePlatform(a: Platform, b: Platform): boolean {
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
  if (os !== 'linux') return { message: 'is not a platform of Linux, on which operators run' };
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
