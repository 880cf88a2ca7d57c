/** Words that open sentences and are names only elsewhere, folded. */
export function isCommonOpener(word: string): boolean {
  return OPENERS.has(word) || WORD_ENDINGS.test(word);
}

/** Words that are capitalised everywhere and yet name nothing that memories could share. */
export function isNeverEntity(word: string): boolean {
  return NEVER.has(word);
}

const WORD_ENDINGS = /(?:[^aeiou]ing|ed|ly|tion|tions|ment|ments|ness|ities|ions|ally|able)$/u;

const asSet = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(" ").split(" "));

const NEVER = asSet(
  "i i'm i've i'd i'll user users user's users' assistant system ok okay yes no am pm a.m p.m tbd todo fyi asap faq etc nb ps q1 q2 q3 q4",
  "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays",
  "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec",
  "mr mrs ms dr prof sir madam mx mom dad mum grandma grandpa",
);

const OPENERS = asSet(
  // Determiners, pronouns, conjunctions, prepositions, adverbs.
  "the a an this that these those my your his her its our their some any all both each every either neither none no one many most few several another other such what which who whom whose when where why how whether while if unless until because since although though as so but and or nor yet for of in on at by with from to into onto over under after before during between among through without within against about above below near beside behind beyond per via it he she they we you i there here then now today tonight tomorrow yesterday once twice again also too just only even still already soon later always never often sometimes usually rarely maybe perhaps however therefore meanwhile instead otherwise finally first second third next last not nothing nobody someone somebody everyone everybody anyone anything everything something more less much little lots plenty half",
  // Greetings and interjections.
  "hi hey hello thanks thank sorry please wow yeah yep yup nope sure great good nice cool awesome congrats congratulations oh ah hmm well right bye goodbye welcome cheers haha lol ugh yay damn absolutely definitely exactly really okay alright",
  // Verbs that open notes and instructions.
  "use uses used prefer avoid run runs set sets keep make makes put get gets add adds remove delete create update check call calls ask asks tell contact email mail write read send remind remember note see look find go goes come take takes give gives move moves moved open opens close closed start started stop stopped restart restarted deploy deploys deployed build builds built test tests fix fixes fixed merge merged push pull commit increase decrease reduce raise lower enable disable install uninstall upgrade upgraded downgrade rolled switch switched replace replaced rename copy save load import export log logs store stores review approve reject schedule plan plans try tries let lets need needs want wants like likes love loves hate hates think thinks know knows say says said do does did don't doesn't can can't could should would will won't must may might is are was were be been has have had having buy bought sell sold pay paid eat drink drank sleep walk drive drove fly book booked order ordered visit meet met join joined leave left return returned reply wait follow confirm ensure verify document consider allow allows require requires handle handles include includes",
  // Nouns that open notes without an article.
  "people team teams staff members customer customers client clients users support management engineering marketing sales finance legal security product design data database code tests test build builds deploy deployment release releases version branch repository project projects issue issues ticket bug bugs error errors feature features service services server servers api app apps application applications frontend backend staging production development environment configuration config settings secret secrets password passwords token tokens key keys file files folder folders document documents documentation meeting meetings standup sprint deadline deadlines budget cost costs price rent invoice invoices report reports email emails phone address name names birthday work job school home house office kitchen dinner lunch breakfast coffee tea food water weather music art life love nature family hope money health history traffic yoga nobody books movies backups backup logging monitoring alerts alert timestamps time date day week month year night morning evening weekend postmortem incident owner status summary update decision reminder context source result action cron disk memory cpu gpus",
  // Small words of other languages.
  "der die das den dem ein eine ich wir sie er es und ist nicht mein meine unser benutzer nutzer la le les un une des el los las mi su nuestro l'utilisateur utilisateur usuario usuaria je il elle nous o os um uma utilizador il lo gli użytkownik to jest het een de пользователь это мы он она я у в на мой",
);
