package dev.tidemark.store;

import static dev.tidemark.store.Docs.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import dev.tidemark.store.Operation.CreateCollection;
import dev.tidemark.store.Operation.Delete;
import dev.tidemark.store.Operation.DeleteCollection;
import dev.tidemark.store.Operation.NoopDetection;
import dev.tidemark.store.Operation.Put;
import dev.tidemark.store.Operation.Update;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Operations as records of the log.
class OperationCodecTest {
  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  @Test
  void everyOperationComesBackAsItWas() {
    for (int i = 0; i < 20_000; i++) {
      Operation operation = randomOperation();
      long time = random.nextLong();
      byte[] encoded = OperationCodec.encode(operation);
      OperationCodec.stamp(encoded, time);
      OperationCodec.Decoded decoded = OperationCodec.decode(encoded);
      assertEquals(operation, decoded.operation(), seed::toString);
      assertEquals(time, decoded.timeMs(), seed::toString);
    }
  }

  /// The bytes are on disks: they never change for a version of the format.
  @Test
  void theBytesAreThoseOfTheFormat() {
    Put put = new Put("films", "7", "r", json("{\"a\":1}"), new Precondition.Matches(5, 1));
    byte[] encoded = OperationCodec.encode(put);
    OperationCodec.stamp(encoded, 0x0102030405060708L);
    assertEquals(
        "0103" // version, put
            + "0807060504030201" // time
            + "0566696c6d73" // films
            + "0137" // 7
            + "0272" // r
            + "0205000000000000000100000000000000" // matches 5, 1
            + "077b2261223a317d",
        HexFormat.of().formatHex(encoded));
  }

  @Test
  void aCutRecordIsRefused() {
    for (int i = 0; i < 300; i++) {
      byte[] encoded = OperationCodec.encode(randomOperation());
      for (int length = 0; length < encoded.length; length++) {
        byte[] cut = Arrays.copyOf(encoded, length);
        assertThrows(UnreadableException.class, () -> OperationCodec.decode(cut), seed::toString);
      }
      byte[] longer = Arrays.copyOf(encoded, encoded.length + 1);
      assertThrows(UnreadableException.class, () -> OperationCodec.decode(longer), seed::toString);
    }
  }

  @Test
  void garbageIsRefusedOrReadButNeverBreaksTheReader() {
    for (int i = 0; i < 30_000; i++) {
      byte[] encoded = OperationCodec.encode(randomOperation());
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        encoded[random.nextInt(encoded.length)] = (byte) random.nextInt();
      }
      readOrRefuse(encoded);
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      readOrRefuse(noise);
    }
  }

  private void readOrRefuse(byte[] bytes) {
    try {
      OperationCodec.decode(bytes);
    } catch (UnreadableException e) {
      // That is the refusal.
    } catch (RuntimeException e) {
      throw new AssertionError(seed + ": " + HexFormat.of().formatHex(bytes), e);
    }
  }

  @Test
  void aNewerVersionAndAnUnknownTypeAreNamed() {
    byte[] encoded = OperationCodec.encode(new DeleteCollection("films"));
    encoded[0] = 2;
    assertTrue(refusal(encoded).contains("format 2"));
    encoded[0] = 1;
    encoded[1] = 99;
    assertTrue(refusal(encoded).contains("type 99"));
  }

  private static String refusal(byte[] encoded) {
    return String.valueOf(
        assertThrows(UnreadableException.class, () -> OperationCodec.decode(encoded)).getMessage());
  }

  @Test
  void whatCouldNotBeAppliedIsNotEncoded() {
    String manyKeys =
        "{\"k\":{"
            + "\"%d\":0,".repeat(StoreLimits.PARTIAL_KEYS_MAX - 1).formatted(numbers())
            + "\"z\":0}}";
    assertRefused(new Put("c", "1", null, json("7"), Precondition.NONE));
    assertRefused(update(json("[]"), null));
    assertRefused(update(json(manyKeys), null));
    assertRefused(update(json("{}"), json("null")));
    assertRefused(new Put("c", "x".repeat(513), null, json("{}"), Precondition.NONE));
    assertRefused(new Put("c", "1", "\udfff", json("{}"), Precondition.NONE));
    assertRefused(new DeleteCollection("\ud8ff"));
    JsonText object = json("{}");
    assertRefused(new CreateCollection("c", json("1"), object, object));
    assertRefused(new CreateCollection("c", object, json("1"), object));
    assertRefused(new CreateCollection("c", object, object, json("1")));
  }

  private static Object[] numbers() {
    Object[] numbers = new Object[StoreLimits.PARTIAL_KEYS_MAX - 1];
    Arrays.setAll(numbers, i -> i);
    return numbers;
  }

  private static Update update(JsonText partial, @Nullable JsonText upsert) {
    return new Update("c", "1", null, partial, upsert, NoopDetection.ON, Precondition.NONE);
  }

  private static void assertRefused(Operation operation) {
    assertThrows(IllegalArgumentException.class, () -> OperationCodec.encode(operation));
  }

  private Operation randomOperation() {
    String collection = randomText(60);
    String id = randomText(100) + "i";
    String routing = random.nextBoolean() ? randomText(30) : null;
    return switch (random.nextInt(5)) {
      case 0 -> new CreateCollection(collection, randomObject(), randomObject(), randomObject());
      case 1 -> new DeleteCollection(collection);
      case 2 -> new Put(collection, id, routing, randomObject(), randomPrecondition());
      case 3 -> new Delete(collection, id, routing, randomPrecondition());
      default ->
          new Update(
              collection,
              id,
              routing,
              randomObject(),
              random.nextBoolean() ? randomObject() : null,
              random.nextBoolean() ? NoopDetection.ON : NoopDetection.OFF,
              randomPrecondition());
    };
  }

  private Precondition randomPrecondition() {
    return switch (random.nextInt(5)) {
      case 0 -> Precondition.NONE;
      case 1 -> new Precondition.Absent();
      case 2 -> new Precondition.Matches(random.nextLong(), random.nextLong());
      case 3 -> new Precondition.External(random.nextLong());
      default -> new Precondition.ExternalOrEqual(random.nextLong());
    };
  }

  private JsonText randomObject() {
    return random.nextInt(4) == 0
        ? JsonText.EMPTY_OBJECT
        : json(
            "{\"k\":\"" + "v".repeat(random.nextInt(300)) + "\",\"n\":" + random.nextInt() + "}");
  }

  private String randomText(int charactersMax) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(charactersMax); i > 0; i--) {
      text.appendCodePoint(
          switch (random.nextInt(8)) {
            case 0 -> random.nextInt(0x80, 0x800);
            case 1 -> random.nextInt(0x800, 0xD800);
            case 2 -> random.nextInt(0x10000, 0x110000);
            default -> random.nextInt(0x80);
          });
    }
    return text.toString();
  }
}
