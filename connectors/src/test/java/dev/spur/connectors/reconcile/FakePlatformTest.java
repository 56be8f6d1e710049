package dev.spur.connectors.reconcile;

/** The contract on a platform in memory. */
class FakePlatformTest extends PlatformContractTest {
    @Override
    PlatformFixture open() {
        return new FakePlatform(2, 8);
    }
}
