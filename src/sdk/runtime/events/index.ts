/**
 * Kubernetes Events inform people who inspect an object about actions of a controller and their reasons. Recording never waits. Repeated
 * Events are combined into series, and Events are dropped rather than delaying a reconcile.
 */
export { type EventOptions, type EventRecorder, recorderFor } from './event-recorder.ts';
export { eventSource, type EventSource, microTime } from './series.ts';
export { EventWriter, type EventWriterOptions } from './event-writer.ts';
