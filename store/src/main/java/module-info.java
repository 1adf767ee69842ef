/// The state machine over the log: operations, apply, the key-value side and its watermark.
// rocksdbjni has no module descriptor: its name is the one its jar gives.
@SuppressWarnings("requires-automatic")
module dev.tidemark.store {
  requires dev.tidemark.log;
  requires rocksdbjni;
  requires static org.jspecify;

  exports dev.tidemark.store;
}
