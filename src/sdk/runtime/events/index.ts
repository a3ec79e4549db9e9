/**
 * Kubernetes Events: actions of a controller and their reasons, for people who inspect an object. Recorded without waiting, combined into
 * series if they repeat, and dropped rather than delaying a reconcile.
 */
export { type EventOptions, type EventRecorder, recorderFor } from './event-recorder.ts';
export { eventSource, type EventSource, microTime } from './series.ts';
export { EventWriter, type EventWriterOptions } from './event-writer.ts';
