#include "eval/common_assumptions.h"

#include "eval/arithmetic.h"

namespace dtp::eval {
namespace {

// 2^8 corners: those assumptions that move the sides most; the others stay open.
constexpr size_t kMostPinned = 8;

struct Sides {
  Value left, right;
  bool numbers() const { return left.is(ValueKind::number) && right.is(ValueKind::number); }
  const Interval& a() const { return left.number->interval; }
  const Interval& b() const { return right.number->interval; }
};

class Corners {
 public:
  Corners(Evaluator& evaluator, const lang::Expr* e, Env* env) : ev_(evaluator), e_(e), env_(env) {}

  std::optional<Verdict> verdict() {
    std::vector<Assumption> shared = shared_assumptions();
    if (shared.empty()) return std::nullopt;
    std::optional<Verdict> all;
    for (size_t corner = 0; corner < size_t{1} << shared.size(); ++corner) {
      llvm::SmallVector<Supposed, kMostPinned> at;
      for (size_t i = 0; i < shared.size(); ++i) at.push_back({shared[i], (corner >> i & 1) != 0});
      std::optional<Verdict> here = verdict_at(at);
      if (!here || *here == Verdict::undecided || (all && *all != *here)) return std::nullopt;
      all = here;
    }
    return all;
  }

 private:
  Sides sides(Supposition& supposition) {
    Supposing here(ev_, supposition);
    auto [left, right] = ev_.operands(e_, env_);
    return {left, right};
  }

  std::optional<Verdict> verdict_at(llvm::ArrayRef<Supposed> at) {
    Supposition supposition(at);
    Sides s = sides(supposition);
    return s.numbers() ? compared(e_->op, *s.left.number, *s.right.number) : std::nullopt;
  }

  // Those that move both sides, those that move them most first.
  std::vector<Assumption> shared_assumptions() {
    Supposition none;
    Sides open = sides(none);
    if (!open.numbers() || !ev_.host()) return {};
    for (Record* plan : none.plans()) ev_.host()->assumptions(plan, none);
    std::vector<std::pair<double, Assumption>> shared;
    for (const Assumption& assumption : none.assumptions()) {
      double moved = move(assumption, open);
      if (moved > 0) shared.push_back({moved, assumption});
    }
    std::stable_sort(shared.begin(), shared.end(),
                     [](const auto& x, const auto& y) { return x.first > y.first; });
    std::vector<Assumption> most;
    for (size_t i = 0; i < std::min(shared.size(), kMostPinned); ++i)
      most.push_back(shared[i].second);
    return most;
  }

  // How far both sides go with it; 0 where one of them does not.
  double move(const Assumption& assumption, const Sides& open) {
    if (!moves_right(assumption, open)) return 0;
    double a = 0, b = 0;
    for (bool high : {false, true}) {
      Supposed at[] = {{assumption, high}};
      Supposition one(at);
      Sides s = sides(one);
      if (!s.numbers()) return 0;
      a = std::max({a, std::abs(s.a().lo - open.a().lo), std::abs(s.a().hi - open.a().hi)});
      b = std::max({b, std::abs(s.b().lo - open.b().lo), std::abs(s.b().hi - open.b().hi)});
    }
    return std::min(a, b);
  }

  // Asked first: a limit is mostly cheap to work out, and few assumptions move it.
  bool moves_right(const Assumption& assumption, const Sides& open) {
    for (bool high : {false, true}) {
      Supposed at[] = {{assumption, high}};
      Supposition one(at);
      Supposing here(ev_, one);
      Value right = ev_.evaluate(e_->b, env_);
      if (!right.is(ValueKind::number)) return true;
      const Interval& b = right.number->interval;
      if (b.lo != open.b().lo || b.hi != open.b().hi) return true;
    }
    return false;
  }

  Evaluator& ev_;
  const lang::Expr* e_;
  Env* env_;
};

}  // namespace

std::optional<Verdict> under_common_assumptions(Evaluator& evaluator, const lang::Expr* e,
                                                Env* env) {
  return Corners(evaluator, e, env).verdict();
}

}  // namespace dtp::eval
