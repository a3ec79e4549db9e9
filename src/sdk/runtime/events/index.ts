/**
 * Kubernetes Events: what a controller did and why, for people who look at an object. Recorded without waiting, counted as series when they
 * repeat, and dropped rather than ever in the way of a reconcile.
 */
export { type EventOptions, type EventRecorder, recorderFor } from './event-recorder.ts';
export { eventSource, type EventSource, microTime } from './series.ts';
export { EventWriter, type EventWriterOptions } from './event-writer.ts';
