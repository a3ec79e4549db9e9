import { isOpSdkError, type FindingList } from '../../../base/errors/index.ts';

/** Runs a parser; its errors become findings, so that the other files are checked, too. */
export function reportParse<T>(findings: FindingList, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings);
    return undefined;
  }
}
