#include <gtest/gtest.h>

#include "eval/hole.h"

namespace dtp::eval {
namespace {

TEST(Holes, SetsThatHoldTheSameAreOneObject) {
  HoleTable table;
  Hole a, b, c;
  for (Hole* hole : {&a, &b, &c}) hole->number = table.next_number();
  const HoleSet* of_a = table.only(&a);
  const HoleSet* of_b = table.only(&b);
  EXPECT_EQ(table.only(&a), of_a);
  EXPECT_NE(of_a, of_b);
  const HoleSet* of_both = table.join(of_b, of_a);
  EXPECT_EQ(table.join(of_a, of_b), of_both);
  EXPECT_EQ(table.join(of_both, of_a), of_both);
  EXPECT_EQ(of_both->holes(), (std::vector<const Hole*>{&a, &b}));  // in the order of finding
  const HoleSet* of_all = table.join(of_both, table.only(&c));
  EXPECT_EQ(of_all->holes().size(), 3U);
}

TEST(Holes, NothingIsNoSet) {
  HoleTable table;
  Hole a;
  a.number = table.next_number();
  const HoleSet* of_a = table.only(&a);
  EXPECT_EQ(table.join(nullptr, nullptr), nullptr);
  EXPECT_EQ(table.join(of_a, nullptr), of_a);
  EXPECT_EQ(table.join(nullptr, of_a), of_a);
}

TEST(Holes, AChoiceBelongsToOnePlan) {
  HoleTable table;
  Record p, q;
  lang::Expr choose;
  Hole hole;
  table.at(&p, &choose) = &hole;
  EXPECT_EQ(table.at(&p, &choose), &hole);
  EXPECT_EQ(table.at(&q, &choose), nullptr);
}

}  // namespace
}  // namespace dtp::eval
