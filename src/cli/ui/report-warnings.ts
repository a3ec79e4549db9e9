import type { Finding } from '../../base/errors/index.ts';
import type { Reporter } from './reporter.ts';

/** Limit of the warnings of one code that are shown to people; the document of `-o json` has all. */
const shownPerCode = 10;

/** Reports warnings, of each code only the first ones. */
export function reportWarnings(report: Reporter, warnings: readonly Finding[]): void {
  const counts = new Map<string, number>();
  for (const warning of warnings) {
    const count = (counts.get(warning.code) ?? 0) + 1;
    counts.set(warning.code, count);
    if (count <= shownPerCode) report.warn(warning);
  }
  for (const [code, count] of counts) {
    if (count > shownPerCode)
      report.warned(`… and ${count - shownPerCode} more of ${code}; \`-o json\` lists them all`);
  }
}
