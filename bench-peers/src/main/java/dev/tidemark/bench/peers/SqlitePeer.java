package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// SQLite: its write-ahead log, synced with every transaction. It has one writer at a time, so that
/// callers share one connection under a lock.
public final class SqlitePeer implements Peer {
  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public String description() {
    return "SQLite, journal_mode=WAL, synchronous=FULL; a write and a batch are a transaction each";
  }

  @Override
  public Store open(Path folder) throws SQLException {
    return new Opened(folder);
  }

  private static final class Opened implements Store {
    private final ReentrantLock lock = new ReentrantLock();
    private final Connection connection;
    private final PreparedStatement insert;

    Opened(Path folder) throws SQLException {
      this.connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("db"));
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA journal_mode=WAL");
        statement.execute("PRAGMA synchronous=FULL");
        statement.execute("CREATE TABLE log (lsn INTEGER PRIMARY KEY, record BLOB)");
      }
      this.insert = connection.prepareStatement("INSERT INTO log (record) VALUES (?)");
    }

    @Override
    public void write(byte[] record) throws SQLException {
      lock.lock();
      try {
        insert.setBytes(1, record);
        insert.executeUpdate();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void writeBatch(List<byte[]> records) throws SQLException {
      lock.lock();
      try {
        connection.setAutoCommit(false);
        for (byte[] record : records) {
          insert.setBytes(1, record);
          insert.executeUpdate();
        }
        connection.commit();
        connection.setAutoCommit(true);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() throws IOException {
      try (connection) {
        insert.close();
      } catch (SQLException e) {
        throw new IOException("SQLite did not close", e);
      }
    }
  }
}
