/**
 * Pages on this machine, for the browser of whoever started the command: served on the loopback interface alone, to nobody who does
 * not know their address, and without anything from elsewhere.
 */
export type { EventStream } from './event-stream.ts';
export { pageFiles, type PageFile } from './page-files.ts';
export { PageServer, type PageAnswer, type PageRequest, type PageServerOptions } from './page-server.ts';
