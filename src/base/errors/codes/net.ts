export type NetCode = 'net/invalid-proxy';
