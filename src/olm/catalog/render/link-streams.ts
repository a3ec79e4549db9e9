import { compareCodeUnits } from '../../../base/util/json-map.ts';
import type { SemanticVersion } from '../versions/version.ts';

/** A bundle of a stream. */
export interface StreamEntry {
  readonly name: string;
  readonly version: SemanticVersion;
}

/** The bundles of one stability, the oldest first, from which channels of one kind are made. */
export interface Stream {
  readonly archetype: string;
  readonly kind: 'minor' | 'major';
  readonly entries: readonly StreamEntry[];
}

interface LinkedEntry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
}

/** A channel with the updates of its entries. */
export interface LinkedChannel {
  readonly name: string;
  readonly archetype: string;
  readonly kind: Stream['kind'];
  /** The oldest version of it. */
  readonly first: SemanticVersion;
  readonly entries: readonly LinkedEntry[];
}

/**
 * The channels of a stream, `stable-v1` or `stable-v1.2`. The last version of each minor one replaces the last of the minor one before,
 * and skips all other versions of the same major one. What it replaces may be in another channel.
 * Source: operator-registry `alpha/template/semver/semver.go`, `generateChannels`, `linkChannels`.
 */
export function linkStreams({ archetype, kind, entries }: Stream): readonly LinkedChannel[] {
  const channels = new Map<string, LinkedChannel & { readonly entries: LinkedEntry[] }>();
  let replaces = '';
  let before: string[] = [];
  for (const [index, { name, version }] of entries.entries()) {
    const next = entries[index + 1]?.version;
    const isLastOfMajor = next === undefined || next.core[0] !== version.core[0];
    const isLastOfMinor = isLastOfMajor || next.core[1] !== version.core[1];
    const channel = `${archetype}-v${version.core.slice(0, kind === 'minor' ? 2 : 1).join('.')}`;
    const own = channels.get(channel) ?? { name: channel, archetype, kind, first: version, entries: [] };
    channels.set(channel, own);
    const skips = before.filter((other) => other !== replaces).sort(compareCodeUnits);
    own.entries.push({
      name,
      ...(isLastOfMinor && replaces !== '' ? { replaces } : {}),
      ...(isLastOfMinor && skips.length > 0 ? { skips } : {}),
    });
    before.push(name);
    if (isLastOfMinor) replaces = name;
    if (isLastOfMajor) [replaces, before] = ['', []];
  }
  return [...channels.values()];
}
