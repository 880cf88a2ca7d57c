/** Technologies that are written in lower case, or that open sentences: recognised without a capital in the middle of a sentence. */
export function isKnownTechnology(word: string): boolean {
  return LOWER_CASE.has(word);
}

/** Technologies with a common word for a name ("Go", "React"), recognised at the start of a sentence when capitalised. */
export function isCapitalisedTechnology(word: string): boolean {
  return CAPITALISED.has(word) || LOWER_CASE.has(word);
}

const LOWER_CASE: ReadonlySet<string> = new Set(
  (
    "npm pnpm nginx kubectl kubernetes k8s docker postgres postgresql mysql mariadb sqlite redis mongodb elasticsearch rabbitmq webpack vite " +
    "vitest eslint numpy scipy pytorch tensorflow systemd launchd crontab tmux zsh neovim github gitlab bitbucket javascript typescript golang graphql " +
    "grpc oauth openai chatgpt ollama langchain lancedb duckdb clickhouse bigquery dynamodb ffmpeg openssl pytest fastapi django numpy node.js next.js " +
    "homebrew macos ios android ubuntu debian alpine centos fedora jira grafana prometheus ansible terraform pulumi vercel netlify heroku " +
    "cloudflare supabase firebase tailwind storybook playwright redux kotlin haskell elixir erlang clojure scala obsidian"
  ).split(" "),
);

const CAPITALISED: ReadonlySet<string> = new Set(
  (
    "go rust swift python java ruby perl lua dart julia react angular vue svelte express spring rails flask jest mocha cypress git yarn bun deno " +
    "kafka spark airflow helm istio consul vault nomad sentry slack zoom notion linear figma pandas excel word outlook gmail chrome firefox safari " +
    "linux windows azure aws gcp s3 ec2 lambda apache tomcat bash vim emacs zod biome prettier"
  ).split(" "),
);
