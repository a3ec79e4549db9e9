/**
 * Kubernetes Events: what a controller did and why, for people who look at an object. Recorded without waiting, counted as series when they
 * repeat, and dropped rather than ever in the way of a reconcile.
 */
export type { EventOptions, EventRecorder } from './event-recorder.ts';
export { recorderFor } from './event-recorder.ts';
export { eventSource, type EventSource } from './event-source.ts';
export { microTime } from './series.ts';
export { EventWriter, type EventWriterOptions } from './event-writer.ts';
