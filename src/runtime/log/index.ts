/** Structured logs: JSON lines by pino, without transports (a transport would be a thread and a second file in the bundle). */
export { createLogger, logLevels, type Logger, type LoggerOptions, type LogLevel } from './create-logger.ts';
