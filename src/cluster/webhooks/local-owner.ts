import { uptime } from 'node:os';
import { localOwner, type LocalMarks } from '../../testing/webhooks/local-marks.ts';
import { isJsonMap } from '../../base/util/json-map.ts';
import { fateOf, ownIdentity, type ProcessIdentity } from '../../base/util/process-identity.ts';

/** Process that has written an object, by the marks of the object. */
export interface LocalOwner {
  /** The name of its machine or container; undefined if the object does not say. */
  readonly host: string | undefined;
  /** `unknown` for one on another machine, in another container, or from before this machine was started. */
  readonly fate: 'alive' | 'dead' | 'unknown';
}

/** Record in an object of the process that has written it. */
interface Owner extends ProcessIdentity {
  /** When it has, in milliseconds since 1970. */
  readonly at: number;
  /** When its machine was started, in seconds since 1970. */
  readonly booted: number;
}

/** Seconds by which a corrected clock may move the time at which a machine was started. */
const clockTolerance = 10;

/** The marks of what this process writes for a project. */
export function marksOf(project: string): LocalMarks {
  return { project, owner: JSON.stringify(ownMark()) };
}

/** Reads from annotations which process has written an object. */
export function ownerOf(annotations: Readonly<Record<string, string>> | undefined): LocalOwner {
  const identity = identityIn(annotations?.[localOwner]);
  if (identity === undefined) return { host: undefined, fate: 'unknown' };
  return { host: identity.host, fate: isOfThisBoot(identity) ? fateOf(identity, identity.at) : 'unknown' };
}

function ownMark(): Owner {
  return { ...ownIdentity(), at: Date.now(), booted: Math.round(Date.now() / 1000 - uptime()) };
}

/**
 * True if a process belongs to this machine as it runs now. Many machines share a cluster, and some of them a name (`ubuntu`, `MacBook-Pro.local`): that
 * a process id is free here says nothing of theirs. Where the system has no boot id, the time of the start takes its place.
 */
function isOfThisBoot({ boot, booted }: Owner): boolean {
  const here = ownMark();
  if (boot !== undefined || here.boot !== undefined) return boot === here.boot;
  return Math.abs(booted - here.booted) <= clockTolerance;
}

function identityIn(text: string | undefined): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    // Somebody has edited it.
    return undefined;
  }
  if (!isJsonMap(value)) return undefined;
  const { pid, host, at, booted } = value;
  if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
  if (typeof at !== 'number' || typeof booted !== 'number') return undefined;
  const texts = ['started', 'boot', 'pids'].flatMap((key) => {
    const each = value[key];
    return typeof each === 'string' ? [[key, each] as const] : [];
  });
  return { pid, host, at, booted, ...Object.fromEntries(texts) };
}
