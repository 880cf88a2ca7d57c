// Put together here so that no scanner, ours included, takes this file for a leak.
const join = (...parts: string[]) => parts.join("");
const RANDOM = "q7Zr2Xk9Lm4Tn8Vb3Wc6Yd1Fs5Gh0Jp2Ra7Ue";
const HEX = "3f9a2c61b0de47558c1a9e20d4b6f7135ac8e0927b4d61f3a5c2e8907d1b4f6a";

/** One of every format that `findSecrets` knows, with its kind. */
export const KNOWN_SECRETS = [
  ["aws_key", join("AKIA", "Q3EGZ7XWPLM5T2VB")],
  ["github_token", join("ghp", "_", RANDOM.slice(0, 36))],
  ["github_token", join("github", "_pat_", RANDOM)],
  ["gitlab_token", join("glpat", "-", RANDOM.slice(0, 20))],
  ["slack_token", join("xoxb", "-123456789012-", RANDOM.slice(0, 24))],
  ["openai_key", join("sk", "-proj-", RANDOM)],
  ["anthropic_key", join("sk", "-ant-api03-", RANDOM)],
  ["google_key", join("AI", "za", RANDOM.slice(0, 35))],
  ["stripe_key", join("sk", "_live_", RANDOM.slice(0, 24))],
  ["npm_token", join("npm", "_", RANDOM.slice(0, 36))],
  ["jwt", join("eyJhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0NTYifQ", ".", RANDOM)],
  [
    "private_key",
    join(
      "-----BEGIN RSA PRIVATE",
      " KEY-----\nMIIE",
      RANDOM,
      "\n-----END RSA PRIVATE",
      " KEY-----",
    ),
  ],
  ["private_key", join("-----BEGIN OPENSSH PRIVATE", " KEY-----\nb3Bl", RANDOM)],
  ["high_entropy", RANDOM],
  ["service_token", join("dop", "_v1_", HEX)],
  ["service_token", join("da", "pi", HEX.slice(0, 32))],
  ["service_token", join("shp", "at_", HEX.slice(0, 32))],
  ["service_token", join("key", "-", HEX.slice(0, 32))],
  ["service_token", join("lin", "_api_", RANDOM)],
  ["service_token", join("ntn", "_", RANDOM, RANDOM)],
  ["service_token", join("py", "pi-", RANDOM, RANDOM)],
  ["service_token", join("hv", "s.", RANDOM)],
  ["service_token", join("gs", "k_", RANDOM, RANDOM)],
  ["service_token", join("xa", "i-", RANDOM, RANDOM)],
  ["service_token", join("ppl", "x-", RANDOM, RANDOM)],
  ["service_token", join("r8", "_", RANDOM)],
  ["service_token", join("GOC", "SPX-", RANDOM)],
  ["service_token", join("dckr", "_pat_", RANDOM)],
  ["service_token", join("sntr", "ys_", RANDOM, RANDOM)],
  ["service_token", join("sb", "p_", HEX.slice(0, 40))],
  ["service_token", join("fig", "d_", RANDOM)],
  ["service_token", join("xa", "pp-1-", RANDOM)],
  ["service_token", join("sq0", "csp-", RANDOM)],
  ["service_token", join("PM", "AK-", HEX.slice(0, 24), "-", HEX.slice(0, 34))],
  ["service_token", join("rubygems", "_", HEX.slice(0, 48))],
  ["service_token", join("AGE-SECRET", "-KEY-1", HEX.toUpperCase().slice(0, 58))],
  ["sendgrid_key", join("SG", ".", RANDOM.slice(0, 22), ".", RANDOM)],
  ["telegram_token", join("123456789", ":AA", RANDOM.slice(0, 33))],
  ["huggingface_token", join("hf", "_", "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgHi")],
] as const;

/** Texts with a value that is secret for what stands before it, and the value. */
export const NAMED_SECRETS = [
  [join("DB_PASS", "WORD=hunter", "22"), join("hunter", "22")],
  [join('"apiKey": "', "a8f5k2l9q0", '"'), "a8f5k2l9q0"],
  [join("the pass", "word for root is s3cr", "et!Horse."), join("s3cr", "et!Horse")],
  [join("postgres://kim:", "tr0ub4dor", "@db.example/app"), "tr0ub4dor"],
  [join("redis://:", "p4ssw0rd9", "@cache:6379"), "p4ssw0rd9"],
  [join("send Authorization: Bear", "er ", HEX.slice(0, 32)), HEX.slice(0, 32)],
  [join("curl -H 'Bas", "ic ", RANDOM.slice(0, 24), "=='"), join(RANDOM.slice(0, 24), "==")],
] as const;
