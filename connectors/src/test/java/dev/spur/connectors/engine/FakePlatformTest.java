package dev.spur.connectors.engine;

/** The contract on a platform in memory. */
class FakePlatformTest extends PlatformContractTest {
    @Override
    Stage open() {
        return new FakePlatform(2, 8);
    }
}
