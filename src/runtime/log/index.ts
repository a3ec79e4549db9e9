/** Structured logs: JSON lines by pino, without transports (a transport would be a thread and a second file in the bundle). */
export type { Logger } from 'pino';
export { createLogger, logLevels, type LoggerOptions, type LogLevel } from './create-logger.ts';
