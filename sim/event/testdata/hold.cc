// The hold model on std::priority_queue: pop the earliest, push it again a
// random time later. Prints nanoseconds per hold for the sizes given.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

struct Event {  // what the Go list carries: time, order, payload
  int64_t at;
  uint64_t order;
  uint8_t owner, kind;
  int32_t a, b;
};
struct Later {
  bool operator()(const Event& x, const Event& y) const {
    return x.at > y.at || (x.at == y.at && x.order > y.order);
  }
};
static uint64_t state = 88172645463325252ull;
static inline uint64_t draw() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

int main(int argc, char** argv) {
  for (int k = 1; k < argc; k++) {
    const long n = atol(argv[k]);
    std::priority_queue<Event, std::vector<Event>, Later> q;
    uint64_t seq = 0;
    for (long i = 0; i < n; i++) q.push({int64_t(draw() % 1000000000), seq++, 0, 0, int32_t(i), 0});
    const long holds = 2000000;
    uint64_t sum = 0;
    auto t0 = std::chrono::steady_clock::now();
    for (long i = 0; i < holds; i++) {
      Event e = q.top();
      q.pop();
      sum += e.a;
      e.at += draw() % 1000000000;
      e.order = seq++;
      q.push(e);
    }
    auto t1 = std::chrono::steady_clock::now();
    printf("%ld %.2f %lu\n", n, std::chrono::duration<double, std::nano>(t1 - t0).count() / holds, (unsigned long)sum);
  }
}
