import { messageOf } from '../../../base/errors/index.ts';
import { outsideWaits } from '../../net/index.ts';
import type { HealthReport } from '../http/index.ts';
import type { Logger } from '../create-logger.ts';

/** Logs each slow wait of the operator on something outside, once until it answers. @returns how to stop */
export function logSlowWaits(log: Logger): () => void {
  return outsideWaits.listen({
    slow: ({ subject, seconds }) =>
      log.warn({ waitingFor: subject, seconds }, `Waiting for ${subject}, which does not answer`),
    answered: (subject) => log.info({ waitingFor: subject }, `${upperFirst(subject)} answers again`),
  });
}

/**
 * Names in a check of `/readyz` what the operator waits for. The check does not fail for it: a Pod that is taken from its Service waits as long.
 *
 * @throws what the check throws, with the waits in its message
 */
export function withSlowWaits(check: () => HealthReport | undefined): HealthReport | undefined {
  const waits = outsideWaits
    .pending()
    .map(({ subject, seconds }) => `waiting for ${subject} for ${seconds} s`)
    .join('; ');
  if (waits === '') return check();
  try {
    const report = check();
    return { degraded: report === undefined ? waits : `${report.degraded}; ${waits}` };
  } catch (error) {
    throw new Error(`${messageOf(error)}; ${waits}`, { cause: error });
  }
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
