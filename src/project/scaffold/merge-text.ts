import { diff3Merge } from 'node-diff3';

/** Versions of a text that are merged. */
export interface TextVersions {
  /** The text that both others come from. */
  readonly base: string;
  /** The text with people's edits. */
  readonly edited: string;
  /** The text as op-sdk writes it now. */
  readonly generated: string;
}

/** A merged text, and how many places of it were changed on both sides. */
export interface MergedText {
  readonly text: string;
  readonly conflicts: number;
}

/**
 * Merges edits into a generated text, line by line as git does. What both sides have changed to different texts is kept twice, between
 * git's marks of a conflict. The line ends of the edited text stay.
 */
export function mergeText({ base, edited, generated }: TextVersions): MergedText {
  const lineEnd = edited.includes('\r\n') ? '\r\n' : '\n';
  const regions = diff3Merge(linesOf(edited), linesOf(base), linesOf(generated), {
    excludeFalseConflicts: true,
  });
  let conflicts = 0;
  const lines = regions.flatMap(({ ok, conflict }) => {
    if (conflict === undefined) return ok ?? [];
    conflicts += 1;
    return ['<<<<<<< edited', ...conflict.a, '=======', ...conflict.b, '>>>>>>> op-sdk'];
  });
  return { text: lines.join(lineEnd), conflicts };
}

function linesOf(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}
