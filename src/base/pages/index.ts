/**
 * Pages on this machine, for the browser of whoever started the command: served on the loopback interface alone, to nobody who does
 * not know their address, and without anything from elsewhere.
 */
export {
  type EventStream,
  PageServer,
  type PageAnswer,
  type PageRequest,
  type PageServerOptions,
  pageFiles,
  type PageFile,
} from './page-server.ts';
export { safeMarkdown } from './safe-markdown.ts';
export { webAddress } from './web-address.ts';
