import fc from "fast-check";

/** `npm test` says the same of the same code every time; `npm run test:deep` draws new cases on every run. */
fc.configureGlobal({ seed: 20_260_413 });
